#define _GNU_SOURCE
#include "CRuntime.h"

#include <errno.h>
#include <linux/futex.h>
#include <sched.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

_Thread_local void *contextbench_thread_record;

const struct contextbench_interception *contextbench_interception;

void contextbench_sleep_while(const void *word, uint32_t expected) {
  // A caller that takes a lock may still need the errno of a call that failed before.
  int error = errno;
  bool was = contextbench_set_intercepted(false);
  syscall(SYS_futex, word, FUTEX_WAIT_PRIVATE, expected, NULL, NULL, 0);
  contextbench_set_intercepted(was);
  errno = error;
}

void contextbench_wake_one(const void *word) {
  int error = errno;
  bool was = contextbench_set_intercepted(false);
  syscall(SYS_futex, word, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
  contextbench_set_intercepted(was);
  errno = error;
}

// The layouts are those of the runtime's ABI: TypeContextDescriptor in docs/ABI/TypeMetadata.rst of the Swift compiler,
// MetadataSections as the runtime's libraries share it.

struct range {
  uintptr_t start;
  size_t length;
};

struct metadata_sections {
  uintptr_t version;
  const void *base;
  const void *unused[2];
  struct range protocols;
  struct range conformances;
  struct range types;
};

struct descriptor {
  uint32_t flags;
  int32_t parent;
  int32_t name;
  int32_t accessor;
};

struct metadata_response {
  const void *type;
  size_t state;
};

typedef __attribute__((swiftcall)) struct metadata_response (*metadata_accessor)(size_t request);

extern void swift_enumerateAllMetadataSections(
  bool (*body)(const struct metadata_sections *sections, void *context), void *context);

enum { kind_mask = 0x1F, kind_class = 16, flag_generic = 0x80 };

static const void *resolve(const int32_t *offset) {
  return *offset == 0 ? NULL : (const char *)offset + *offset;
}

struct search {
  const char *name;
  const void **found;
  size_t capacity;
  size_t count;
};

static bool look(const struct metadata_sections *sections, void *context) {
  struct search *search = context;
  const int32_t *records = (const int32_t *)sections->types.start;
  for (size_t i = 0; i < sections->types.length / sizeof *records; i++) {
    // The two lowest bits say how the type is referred to: 0 directly, 1 by way of a pointer, else not as Swift type.
    int32_t kind = records[i] & 3, offset = records[i] & ~3;
    if (offset == 0 || kind > 1) continue;
    const void *target = (const char *)&records[i] + offset;
    const struct descriptor *type = kind == 0 ? target : *(const struct descriptor *const *)target;
    if (type == NULL || (type->flags & kind_mask) != kind_class || (type->flags & flag_generic) != 0) continue;
    const char *name = resolve(&type->name);
    if (name == NULL || strcmp(name, search->name) != 0 || type->accessor == 0) continue;
    metadata_accessor accessor = (metadata_accessor)(uintptr_t)resolve(&type->accessor);
    if (search->count < search->capacity) search->found[search->count] = accessor(0).type;
    search->count++;
  }
  return true;
}

size_t contextbench_classes_named(const char *name, const void **found, size_t capacity) {
  struct search search = {name, found, capacity, 0};
  swift_enumerateAllMetadataSections(look, &search);
  return search.count;
}

void contextbench_take_arguments(va_list list, const char *kinds, size_t count, int64_t *integers, double *reals) {
  for (size_t place = 0; place < count; place += 1) {
    switch (kinds[place]) {
    case 'd': reals[place] = va_arg(list, double); break;
    case 'i': integers[place] = va_arg(list, int); break;
    case 'u': integers[place] = va_arg(list, unsigned int); break;
    case 'p': integers[place] = (int64_t)(intptr_t)va_arg(list, void *); break;
    default: integers[place] = va_arg(list, int64_t); break;
    }
  }
}

bool contextbench_has_one_processor(void) {
  cpu_set_t processors;
  return sched_getaffinity(0, sizeof(processors), &processors) == 0 && CPU_COUNT(&processors) == 1;
}

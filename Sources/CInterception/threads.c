#include "interception.h"

#include <errno.h>
#include <link.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "CInterception.h"

_Thread_local int contextbench_intercepted;
const struct contextbench_simulation *contextbench_running;

static struct waiter *waiters;

static void begin(const struct contextbench_simulation *new) {
  // Those of a simulation that came to no end wait for ever.
  waiters = NULL;
  contextbench_running = new;
  contextbench_forget_queues();
  contextbench_forget_notices();
  contextbench_forget_timers();
  contextbench_reset_random();
}

static bool set(bool is_on) {
  bool was = contextbench_intercepted;
  contextbench_intercepted = is_on;
  return was;
}

static const struct contextbench_interception interception = {begin, set};

// The seeds of hashed collections: the same order of a set in every process.
extern struct {
  uint64_t seeds[2];
  bool is_deterministic;
} _swift_stdlib_Hashing_parameters;

struct code contextbench_program, contextbench_dispatch, contextbench_foundation;

static struct code code_of(const struct dl_phdr_info *info) {
  struct code code = {NULL, NULL};
  for (int number = 0; number < info->dlpi_phnum; number += 1) {
    const ElfW(Phdr) *part = &info->dlpi_phdr[number];
    if (part->p_type != PT_LOAD || (part->p_flags & PF_X) == 0) continue;
    code.start = (const char *)(info->dlpi_addr + part->p_vaddr);
    code.end = code.start + part->p_memsz;
  }
  return code;
}

static int note_code(struct dl_phdr_info *info, size_t size, void *context) {
  (void)size;
  (void)context;
  // The program comes first.
  if (contextbench_program.start == NULL) contextbench_program = code_of(info);
  if (strstr(info->dlpi_name, "libdispatch.so") != NULL) contextbench_dispatch = code_of(info);
  if (strstr(info->dlpi_name, "libFoundation.so") != NULL) contextbench_foundation = code_of(info);
  return 0;
}

__attribute__((constructor)) static void install(void) {
  contextbench_interception = &interception;
  dl_iterate_phdr(note_code, NULL);
  contextbench_watch_faults();
  _swift_stdlib_Hashing_parameters.seeds[0] = 0;
  _swift_stdlib_Hashing_parameters.seeds[1] = 0;
  _swift_stdlib_Hashing_parameters.is_deterministic = true;
}

bool contextbench_is_intercepted(void) { return is_simulated(); }

void *contextbench_real(const char *name) {
  // Of condition variables the loader would give the oldest form.
  void *found = strncmp(name, "pthread_cond_", 13) == 0 ? dlvsym(RTLD_NEXT, name, "GLIBC_2.3.2") : NULL;
  return found != NULL ? found : dlsym(RTLD_NEXT, name);
}

// MARK: Waiting

bool contextbench_wait(struct waiter *waiter, const void *object, const char *reason, uint64_t deadline) {
  struct waiter **last = &waiters;
  while (*last != NULL) last = &(*last)->next;
  waiter->object = object;
  waiter->is_woken = false;
  waiter->next = NULL;
  *last = waiter;
  while (!waiter->is_woken) {
    if (deadline == 0) {
      simulation->park((uint64_t)(uintptr_t)waiter, reason);
    } else if (simulation->clock() < deadline) {
      simulation->park_until((uint64_t)(uintptr_t)waiter, reason, deadline);
    } else {
      break;
    }
  }
  for (struct waiter **place = &waiters; *place != NULL; place = &(*place)->next) {
    if (*place != waiter) continue;
    *place = waiter->next;
    break;
  }
  return waiter->is_woken;
}

int contextbench_wake(const void *object, int count) {
  int woken = 0;
  for (struct waiter *waiter = waiters; waiter != NULL && woken < count; waiter = waiter->next) {
    if (waiter->object != object || waiter->is_woken) continue;
    waiter->is_woken = true;
    simulation->wake((uint64_t)(uintptr_t)waiter);
    woken += 1;
  }
  return woken;
}

// MARK: Once

typedef int (*run_once)(pthread_once_t *, void (*)(void));
REAL(run_once, pthread_once)

int pthread_once(pthread_once_t *once, void (*body)(void)) {
  if (!is_simulated()) return real_pthread_once()(once, body);
  while (contextbench_is_held(once)) simulation->park((uint64_t)(uintptr_t)once, "what is made once");
  contextbench_note_held(once, 1);
  int result = real_pthread_once()(once, body);
  contextbench_note_held(once, -1);
  simulation->wake((uint64_t)(uintptr_t)once);
  return result;
}

typedef void (*dispatch_run_once)(intptr_t *, void *, void (*)(void *));
REAL(dispatch_run_once, dispatch_once_f)

void dispatch_once_f(intptr_t *once, void *context, void (*body)(void *)) {
  if (!is_simulated() || *once == ~(intptr_t)0) return real_dispatch_once_f()(once, context, body);
  while (contextbench_is_held(once)) simulation->park((uint64_t)(uintptr_t)once, "what is made once");
  contextbench_note_held(once, 1);
  real_dispatch_once_f()(once, context, body);
  contextbench_note_held(once, -1);
  simulation->wake((uint64_t)(uintptr_t)once);
}

struct block {
  void *isa;
  int flags;
  int reserved;
  void (*invoke)(void *);
};

static void call_block(void *block) { ((struct block *)block)->invoke(block); }

void dispatch_once(intptr_t *once, void *block) { dispatch_once_f(once, block, call_block); }

// MARK: Threads

typedef int (*creating)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
typedef int (*joining)(pthread_t, void **);
REAL(creating, pthread_create)
REAL(joining, pthread_join)

struct beginning {
  void *task;
  void *(*body)(void *);
  void *context;
};

static void *run_thread(void *raw) {
  struct beginning beginning = *(struct beginning *)raw;
  free(raw);
  simulation->adopt(beginning.task);
  void *result = beginning.body(beginning.context);
  contextbench_intercepted = 1;
  contextbench_note_held((const void *)pthread_self(), -1);
  simulation->wake((uint64_t)pthread_self());
  simulation->leave(beginning.task);
  return result;
}

int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*body)(void *), void *context) {
  if (!is_simulated_here()) return real_pthread_create()(thread, attributes, body, context);
  simulation->pass("thread", 0, "");
  struct beginning *beginning = malloc(sizeof *beginning);
  *beginning = (struct beginning){simulation->announce("thread"), body, context};
  int result = real_pthread_create()(thread, attributes, run_thread, beginning);
  if (result != 0) {
    simulation->refuse("pthread_create, of which the system made none");
    return result;
  }
  contextbench_note_held((const void *)*thread, 1);
  simulation->pass("thread", 0, "");
  return result;
}

int pthread_join(pthread_t thread, void **result) {
  while (is_simulated() && contextbench_is_held((const void *)thread)) simulation->park((uint64_t)thread, "a thread's end");
  return real_pthread_join()(thread, result);
}

bool _CFIsMainThread(void) {
  if (is_simulated()) return simulation->is_main();
  return getpid() == (pid_t)syscall(SYS_gettid);
}

// MARK: The kernel's waits

typedef long (*calling)(long, ...);
REAL(calling, syscall)

/// A lock of which the kernel knows the owner. The bit makes its owner ask the kernel, which is here, to release
/// it.
static long lock_of_owner(uint32_t *word) {
  while (true) {
    contextbench_intercepted = 0;
    long result = real_syscall()(SYS_futex, word, FUTEX_TRYLOCK_PI | FUTEX_PRIVATE_FLAG, 0, NULL, NULL, 0);
    contextbench_intercepted = 1;
    if (result == 0 || (errno != EAGAIN && errno != EWOULDBLOCK)) return result;
    __atomic_fetch_or(word, FUTEX_WAITERS, __ATOMIC_RELAXED);
    simulation->park((uint64_t)(uintptr_t)word, "a lock");
  }
}

static long simulated_futex(uint32_t *word, int operation, uint32_t value, const struct timespec *timeout) {
  struct waiter waiter;
  uint64_t deadline = 0;
  switch (operation & FUTEX_CMD_MASK) {
  case FUTEX_WAIT:
  case FUTEX_WAIT_BITSET:
    if (__atomic_load_n(word, __ATOMIC_SEQ_CST) != value) {
      errno = EAGAIN;
      return -1;
    }
    if (timeout != NULL) {
      deadline = (uint64_t)timeout->tv_sec * 1000000000u + (uint64_t)timeout->tv_nsec;
      if ((operation & FUTEX_CMD_MASK) == FUTEX_WAIT) deadline += simulation->clock();
      else if ((operation & FUTEX_CLOCK_REALTIME) != 0) deadline -= contextbench_wall_base();
    }
    if (contextbench_wait(&waiter, word, "another thread", deadline)) return 0;
    errno = ETIMEDOUT;
    return -1;
  case FUTEX_WAKE:
  case FUTEX_WAKE_BITSET:
    return contextbench_wake(word, (int)value)
      + real_syscall()(SYS_futex, word, operation, value, NULL, NULL, FUTEX_BITSET_MATCH_ANY);
  case FUTEX_LOCK_PI:
    return lock_of_owner(word);
  case FUTEX_UNLOCK_PI: {
    long result = real_syscall()(SYS_futex, word, operation, 0, NULL, NULL, 0);
    simulation->wake((uint64_t)(uintptr_t)word);
    return result;
  }
  default:
    return real_syscall()(SYS_futex, word, operation, value, timeout, NULL, 0);
  }
}

bool contextbench_fill_random(void *bytes, size_t count);

long syscall(long number, ...) {
  va_list list;
  va_start(list, number);
  long a[6];
  for (int place = 0; place < 6; place += 1) a[place] = va_arg(list, long);
  va_end(list);
  if (is_simulated_here()) {
    if (number == SYS_futex) {
      return simulated_futex((uint32_t *)a[0], (int)a[1], (uint32_t)a[2], (const struct timespec *)a[3]);
    }
    if (number == SYS_getrandom && contextbench_fill_random((void *)a[0], (size_t)a[1])) return a[1];
  }
  return real_syscall()(number, a[0], a[1], a[2], a[3], a[4], a[5]);
}

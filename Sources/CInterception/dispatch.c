#include "queues.h"

#include <stdlib.h>
#include <string.h>

#include "CInterception.h"

// MARK: Making queues

extern char _dispatch_queue_attr_concurrent[];
typedef void *(*attribute_of)(void *);
typedef void *(*attribute_with)(void *, unsigned, int);
typedef void *(*attribute_at)(void *, unsigned long);
REAL(attribute_of, dispatch_queue_attr_make_initially_inactive)
REAL(attribute_with, dispatch_queue_attr_make_with_qos_class)
REAL(attribute_at, dispatch_queue_attr_make_with_autorelease_frequency)

// The meaning of attributes, which are constants of Dispatch's.
enum { attributes_max = 512 };
static struct {
  const void *address;
  bool is_concurrent, is_inactive;
} attributes[attributes_max];

static void read_attribute(const void *address, bool *is_concurrent, bool *is_inactive) {
  *is_concurrent = address == _dispatch_queue_attr_concurrent;
  *is_inactive = false;
  for (int place = 0; place < attributes_max && attributes[place].address != NULL; place += 1) {
    if (attributes[place].address != address) continue;
    *is_concurrent = attributes[place].is_concurrent;
    *is_inactive = attributes[place].is_inactive;
  }
}

static void *note_attribute(void *new, const void *old, bool is_inactive) {
  bool is_concurrent, was_inactive;
  read_attribute(old, &is_concurrent, &was_inactive);
  for (int place = 0; place < attributes_max; place += 1) {
    if (attributes[place].address != NULL && attributes[place].address != new) continue;
    attributes[place].is_concurrent = is_concurrent;
    attributes[place].is_inactive = was_inactive || is_inactive;
    attributes[place].address = new;
    break;
  }
  return new;
}

void *dispatch_queue_attr_make_initially_inactive(void *old) {
  return note_attribute(real_dispatch_queue_attr_make_initially_inactive()(old), old, true);
}

void *dispatch_queue_attr_make_with_qos_class(void *old, unsigned class, int priority) {
  return note_attribute(real_dispatch_queue_attr_make_with_qos_class()(old, class, priority), old, false);
}

void *dispatch_queue_attr_make_with_autorelease_frequency(void *old, unsigned long frequency) {
  return note_attribute(real_dispatch_queue_attr_make_with_autorelease_frequency()(old, frequency), old, false);
}

typedef void *(*making)(const char *, void *);
typedef void *(*making_with)(const char *, void *, void *);
REAL(making, dispatch_queue_create)
REAL(making_with, dispatch_queue_create_with_target)

static void *note_queue(void *address, const void *attribute, void *target) {
  bool is_concurrent, is_inactive;
  read_attribute(attribute, &is_concurrent, &is_inactive);
  struct object *queue = contextbench_new_object(address);
  queue->is_concurrent = is_concurrent;
  queue->suspensions = is_inactive;
  queue->target = target;
  return address;
}

void *dispatch_queue_create(const char *label, void *attribute) {
  return note_queue(real_dispatch_queue_create()(label, attribute), attribute, NULL);
}

void *dispatch_queue_create_with_target(const char *label, void *attribute, void *target) {
  return note_queue(real_dispatch_queue_create_with_target()(label, attribute, target), attribute, target);
}

typedef void (*targeting)(void *, void *);
REAL(targeting, dispatch_set_target_queue)

void dispatch_set_target_queue(void *address, void *target) {
  struct object *object = contextbench_object(address);
  if (object != NULL) object->target = target;
  real_dispatch_set_target_queue()(address, target);
}

// MARK: Enqueueing

typedef void (*block_on)(void *, void *);
typedef void (*function_on)(void *, void *, void (*)(void *));
REAL(block_on, dispatch_async)
REAL(block_on, dispatch_barrier_async)
REAL(block_on, dispatch_sync)
REAL(block_on, dispatch_barrier_sync)
REAL(block_on, dispatch_async_and_wait)
REAL(function_on, dispatch_async_f)
REAL(function_on, dispatch_sync_f)
REAL(function_on, dispatch_barrier_async_f)
REAL(function_on, dispatch_barrier_sync_f)

// Others may come before an effect, and before the task's next work, which may be no step.
static void enqueue(void *queue, struct work *work) {
  contextbench_pass_by("enqueue", queue);
  contextbench_enqueue(queue, work);
  contextbench_pass_by("enqueue", queue);
}

static struct work *barrier(struct work *work) {
  work->is_barrier = true;
  return work;
}

void dispatch_async(void *queue, void *block) {
  if (!is_simulated()) return real_dispatch_async()(queue, block);
  enqueue(queue, contextbench_block_work(block));
}

void dispatch_barrier_async(void *queue, void *block) {
  if (!is_simulated()) return real_dispatch_barrier_async()(queue, block);
  enqueue(queue, barrier(contextbench_block_work(block)));
}

void dispatch_barrier_async_f(void *queue, void *context, void (*body)(void *)) {
  if (!is_simulated()) return real_dispatch_barrier_async_f()(queue, context, body);
  enqueue(queue, barrier(contextbench_work(body, context)));
}

static void run_sync(void *queue, void (*body)(void *), void *context, bool is_barrier) {
  contextbench_pass_by("sync", queue);
  contextbench_run_in_turn(queue, body, context, is_barrier);
}

void dispatch_sync(void *queue, void *block) {
  if (!is_simulated()) return real_dispatch_sync()(queue, block);
  run_sync(queue, contextbench_call_block, block, contextbench_is_barrier(block));
  contextbench_block_is_over(block);
}

void dispatch_async_and_wait(void *queue, void *block) {
  if (!is_simulated()) return real_dispatch_async_and_wait()(queue, block);
  run_sync(queue, contextbench_call_block, block, false);
}

void dispatch_barrier_sync(void *queue, void *block) {
  if (!is_simulated()) return real_dispatch_barrier_sync()(queue, block);
  run_sync(queue, contextbench_call_block, block, true);
  contextbench_block_is_over(block);
}

void dispatch_sync_f(void *queue, void *context, void (*body)(void *)) {
  if (!is_simulated()) return real_dispatch_sync_f()(queue, context, body);
  run_sync(queue, body, context, false);
}

void dispatch_barrier_sync_f(void *queue, void *context, void (*body)(void *)) {
  if (!is_simulated()) return real_dispatch_barrier_sync_f()(queue, context, body);
  run_sync(queue, body, context, true);
}

typedef void (*applying)(size_t, void *, void *, void (*)(void *, size_t));
REAL(applying, dispatch_apply_f)

struct portion {
  void (*body)(void *, size_t);
  void *context;
  size_t number;
  size_t *left;
};

static void run_portion(void *raw) {
  struct portion portion = *(struct portion *)raw;
  free(raw);
  portion.body(portion.context, portion.number);
  *portion.left -= 1;
  simulation->wake((uint64_t)(uintptr_t)portion.left);
}

void dispatch_apply_f(size_t count, void *queue, void *context, void (*body)(void *, size_t)) {
  if (!is_simulated()) return real_dispatch_apply_f()(count, queue, context, body);
  size_t left = count;
  for (size_t number = 0; number < count; number += 1) {
    struct portion *portion = malloc(sizeof *portion);
    *portion = (struct portion){body, context, number, &left};
    contextbench_enqueue(queue != NULL ? queue : (void *)&left, contextbench_work(run_portion, portion));
  }
  while (left > 0) simulation->park((uint64_t)(uintptr_t)&left, "what runs side by side");
}

struct counted_block {
  void *isa;
  int flags;
  int reserved;
  void (*invoke)(void *, size_t);
};

static void call_counted(void *block, size_t number) { ((struct counted_block *)block)->invoke(block, number); }

void dispatch_apply(size_t count, void *queue, void *block) { dispatch_apply_f(count, queue, block, call_counted); }

// MARK: Tasks of Swift

/// Jobs of tasks come to the global queues and to the main one. A job has its kind: see Job in ABI/Task.h of Swift.
struct job {
  void *object[2];
  void *reserved[2];
  uint32_t flags;
  uint32_t id;
};

static bool is_of_swift(void *body) {
  static void *known;
  if (body == known) return true;
  static void *other;
  if (body == other) return false;
  Dl_info info;
  bool is = dladdr(body, &info) != 0 && info.dli_fname != NULL && strstr(info.dli_fname, "libswift_Concurrency") != NULL;
  if (is) known = body;
  else other = body;
  return is;
}

// A task that was made outside of a simulation, to begin inside of one.
static _Thread_local bool holds_next;
static _Thread_local void *held_job;

extern uint64_t swift_task_getJobTaskId(void *job);

static void start_job(void *raw, void (*body)(void *)) {
  struct job *job = raw;
  uint32_t kind = job->flags & 0xff;
  // 0 is a task; 192 to 194 are actors that have something to do.
  const char *name = kind == 0 ? "task" : kind >= 192 && kind <= 194 ? "actor" : "job";
  uint64_t identity = kind == 0 ? swift_task_getJobTaskId(job) | UINT64_C(1) << 63 : 0;
  simulation->start(name, identity, body, job);
  simulation->pass("enqueue", 0, name);
}

void contextbench_hold_next_task(void) { holds_next = true; }

void *contextbench_held_task(void) {
  holds_next = false;
  void *job = held_job;
  held_job = NULL;
  return job;
}

static void (*run_job)(void *);

void contextbench_start_held_task(void *task) { start_job(task, run_job); }

/// Whether a job was held back.
static bool hold(void *job, void (*body)(void *)) {
  if (!holds_next || !is_of_swift((void *)body)) return false;
  holds_next = false;
  held_job = job;
  run_job = body;
  return true;
}

void dispatch_async_f(void *queue, void *context, void (*body)(void *)) {
  if (!is_simulated() && hold(context, body)) return;
  if (!is_simulated()) return real_dispatch_async_f()(queue, context, body);
  struct object *known = contextbench_object(queue);
  bool is_serial = queue == _dispatch_main_q || (known != NULL && !known->is_concurrent);
  if (!is_serial && is_of_swift((void *)body)) return start_job(context, body);
  enqueue(queue, contextbench_work(body, context));
}

/// A task is about to continue somewhere else.
typedef __attribute__((swiftasynccall)) void (*switching)(
  __attribute__((swift_async_context)) void *, void *, void *, void *);

static switching real_switch;

__attribute__((swiftasynccall)) void swift_task_switch(
  __attribute__((swift_async_context)) void *context, void *function, void *executor, void *implementation
) {
  if (real_switch == NULL) real_switch = (switching)contextbench_real("swift_task_switch");
  if (is_simulated()) simulation->pass("hop", 0, "");
  __attribute__((musttail)) return real_switch(context, function, executor, implementation);
}

// MARK: Where a thread is

typedef void *(*getting)(const void *);
typedef void *(*getting_of)(void *, const void *);
typedef const char *(*labelling)(void *);
typedef void (*asserting)(void *);
REAL(getting, dispatch_get_specific)
REAL(getting_of, dispatch_queue_get_specific)
REAL(labelling, dispatch_queue_get_label)
REAL(asserting, dispatch_assert_queue)
REAL(asserting, dispatch_assert_queue_barrier)
REAL(asserting, dispatch_assert_queue_not)

void *dispatch_get_specific(const void *key) {
  if (!is_simulated()) return real_dispatch_get_specific()(key);
  for (void *queue = contextbench_current_queue(); queue != NULL; queue = contextbench_target(queue)) {
    void *value = real_dispatch_queue_get_specific()(queue, key);
    if (value != NULL) return value;
  }
  return NULL;
}

const char *dispatch_queue_get_label(void *queue) {
  void *current = is_simulated() && queue == NULL ? contextbench_current_queue() : NULL;
  return real_dispatch_queue_get_label()(current != NULL ? current : queue);
}

void dispatch_assert_queue(void *queue) {
  if (!is_simulated() || !contextbench_is_on(queue)) real_dispatch_assert_queue()(queue);
}

void dispatch_assert_queue_barrier(void *queue) {
  if (!is_simulated() || !contextbench_is_on(queue)) real_dispatch_assert_queue_barrier()(queue);
}

void dispatch_assert_queue_not(void *queue) {
  // The system knows nothing of where the thread is: where it is wrong, the other check says so.
  if (!is_simulated()) return real_dispatch_assert_queue_not()(queue);
  if (contextbench_is_on(queue)) real_dispatch_assert_queue()(queue);
}

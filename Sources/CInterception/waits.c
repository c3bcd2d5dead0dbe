// Groups, semaphores, work items, timers of Dispatch.
#include "queues.h"

#include <stdlib.h>
#include <string.h>

// MARK: Time

enum { now = 0, forever = 1 };

uint64_t contextbench_moment(uint64_t time) {
  if (time == UINT64_MAX) return UINT64_MAX;
  if (time == now) return simulation->clock();
  if ((int64_t)time >= 0) return time;
  if ((time & UINT64_C(1) << 62) == 0) return time & ~(UINT64_C(1) << 63);
  uint64_t wall = -time;
  return wall < contextbench_wall_base() ? 0 : wall - contextbench_wall_base();
}

// MARK: Semaphores and groups

extern void dispatch_group_enter(void *group);

typedef intptr_t (*timed_wait)(void *, uint64_t);
typedef intptr_t (*signalling)(void *);
typedef void (*on_object)(void *);
REAL(timed_wait, dispatch_semaphore_wait)
REAL(signalling, dispatch_semaphore_signal)
REAL(timed_wait, dispatch_group_wait)
REAL(timed_wait, dispatch_block_wait)
REAL(on_object, dispatch_group_leave)
REAL(on_object, dispatch_retain)
REAL(on_object, dispatch_release)

/// Waits as the system would, which is asked again each time that something changed.
static intptr_t wait_for(void *object, uint64_t time, timed_wait try, const char *reason) {
  simulation->pass(reason, 0, "");
  uint64_t end = contextbench_moment(time);
  intptr_t result;
  while ((result = try(object, now)) != 0 && simulation->clock() < end) {
    if (end == UINT64_MAX) simulation->park((uint64_t)(uintptr_t)object, reason);
    else simulation->park_until((uint64_t)(uintptr_t)object, reason, end);
  }
  return result;
}

intptr_t dispatch_semaphore_wait(void *semaphore, uint64_t time) {
  if (!is_simulated()) return real_dispatch_semaphore_wait()(semaphore, time);
  return wait_for(semaphore, time, real_dispatch_semaphore_wait(), "semaphore");
}

intptr_t dispatch_semaphore_signal(void *semaphore) {
  // Dispatch wakes threads of its own, such as when Swift makes its first queue for timers: no step of the program's.
  if (!is_simulated_here()) return real_dispatch_semaphore_signal()(semaphore);
  simulation->pass("signal", 0, "");
  intptr_t result = real_dispatch_semaphore_signal()(semaphore);
  simulation->wake((uint64_t)(uintptr_t)semaphore);
  simulation->pass("signal", 0, "");
  return result;
}

intptr_t dispatch_group_wait(void *group, uint64_t time) {
  if (!is_simulated()) return real_dispatch_group_wait()(group, time);
  return wait_for(group, time, real_dispatch_group_wait(), "group");
}

/// Work that is enqueued once a group or a block is over.
struct notice {
  const void *object;
  bool is_of_group;
  void *queue;
  struct work *work;
  struct notice *next;
};

static struct notice *notices;

// Those of a simulation that came to no end: another block may have the address of one that is waited for.
void contextbench_forget_notices(void) { notices = NULL; }

static void add_notice(const void *object, bool is_of_group, void *queue, struct work *work) {
  struct notice *notice = malloc(sizeof *notice);
  *notice = (struct notice){object, is_of_group, queue, work, NULL};
  real_dispatch_retain()(queue);
  if (is_of_group) real_dispatch_retain()((void *)object);
  struct notice **last = &notices;
  while (*last != NULL) last = &(*last)->next;
  *last = notice;
}

static void give_notice(const void *object) {
  struct notice **place = &notices;
  while (*place != NULL) {
    struct notice *notice = *place;
    if (notice->object != object) {
      place = &notice->next;
      continue;
    }
    *place = notice->next;
    contextbench_enqueue(notice->queue, notice->work);
    real_dispatch_release()(notice->queue);
    if (notice->is_of_group) real_dispatch_release()((void *)object);
    free(notice);
    place = &notices;
  }
}

static bool is_empty(void *group) { return real_dispatch_group_wait()(group, now) == 0; }

void contextbench_leave_group(void *group) {
  real_dispatch_retain()(group);
  real_dispatch_group_leave()(group);
  simulation->wake((uint64_t)(uintptr_t)group);
  if (is_empty(group)) give_notice(group);
  real_dispatch_release()(group);
}

void dispatch_group_leave(void *group) {
  if (!is_simulated()) return real_dispatch_group_leave()(group);
  simulation->pass("leave", 0, "");
  contextbench_leave_group(group);
  simulation->pass("leave", 0, "");
}

static void notify(void *group, void *queue, struct work *work) {
  if (is_empty(group)) contextbench_enqueue(queue, work);
  else add_notice(group, true, queue, work);
}

typedef void (*of_group)(void *, void *, void *);
typedef void (*function_of_group)(void *, void *, void *, void (*)(void *));
REAL(of_group, dispatch_group_async)
REAL(of_group, dispatch_group_notify)
REAL(function_of_group, dispatch_group_async_f)
REAL(function_of_group, dispatch_group_notify_f)

static void enqueue_for(void *group, void *queue, struct work *work) {
  contextbench_pass_by("enqueue", queue);
  dispatch_group_enter(group);
  work->group = group;
  contextbench_enqueue(queue, work);
  contextbench_pass_by("enqueue", queue);
}

void dispatch_group_async(void *group, void *queue, void *block) {
  if (!is_simulated()) return real_dispatch_group_async()(group, queue, block);
  enqueue_for(group, queue, contextbench_block_work(block));
}

void dispatch_group_async_f(void *group, void *queue, void *context, void (*body)(void *)) {
  if (!is_simulated()) return real_dispatch_group_async_f()(group, queue, context, body);
  enqueue_for(group, queue, contextbench_work(body, context));
}

void dispatch_group_notify(void *group, void *queue, void *block) {
  if (!is_simulated()) return real_dispatch_group_notify()(group, queue, block);
  notify(group, queue, contextbench_block_work(block));
}

void dispatch_group_notify_f(void *group, void *queue, void *context, void (*body)(void *)) {
  if (!is_simulated()) return real_dispatch_group_notify_f()(group, queue, context, body);
  notify(group, queue, contextbench_work(body, context));
}

// MARK: Work items

typedef void (*of_block)(void *, void *, void *);
REAL(of_block, dispatch_block_notify)

intptr_t dispatch_block_wait(void *block, uint64_t time) {
  if (!is_simulated()) return real_dispatch_block_wait()(block, time);
  return wait_for(block, time, real_dispatch_block_wait(), "work item");
}

void dispatch_block_notify(void *block, void *queue, void *notification) {
  if (!is_simulated()) return real_dispatch_block_notify()(block, queue, notification);
  struct work *work = contextbench_block_work(notification);
  if (contextbench_has_run(block)) contextbench_enqueue(queue, work);
  else add_notice(block, false, queue, work);
}

void contextbench_block_is_over(const void *block) {
  simulation->wake((uint64_t)(uintptr_t)block);
  if (notices != NULL) give_notice(block);
}

// MARK: Later

typedef void (*after)(uint64_t, void *, void *);
typedef void (*function_after)(uint64_t, void *, void *, void (*)(void *));
REAL(after, dispatch_after)
REAL(function_after, dispatch_after_f)

struct delayed {
  void *queue;
  struct work *work;
};

static void run_delayed(void *raw) {
  struct delayed delayed = *(struct delayed *)raw;
  free(raw);
  contextbench_enqueue(delayed.queue, delayed.work);
  real_dispatch_release()(delayed.queue);
}

static void enqueue_later(uint64_t time, void *queue, struct work *work) {
  uint64_t moment = contextbench_moment(time);
  if (moment == UINT64_MAX) return;
  struct delayed *delayed = malloc(sizeof *delayed);
  *delayed = (struct delayed){queue, work};
  real_dispatch_retain()(queue);
  simulation->start_at(moment, false, "timer", run_delayed, delayed);
}

void dispatch_after(uint64_t time, void *queue, void *block) {
  if (!is_simulated()) return real_dispatch_after()(time, queue, block);
  enqueue_later(time, queue, contextbench_block_work(block));
}

void dispatch_after_f(uint64_t time, void *queue, void *context, void (*body)(void *)) {
  if (!is_simulated()) return real_dispatch_after_f()(time, queue, context, body);
  enqueue_later(time, queue, contextbench_work(body, context));
}

// MARK: Timers

extern char _dispatch_source_type_timer[];

struct source {
  void *queue;
  void *block;
  void (*body)(void *);
  void *cancelled;
  void *context;
  uint64_t start, interval;
  /// Raised each time that the timer is set: an older one does nothing.
  uint64_t generation;
  /// How many shots hold the source.
  int shots;
  bool is_cancelled;
};

typedef void *(*making_source)(const void *, uintptr_t, uintptr_t, void *);
typedef void (*setting)(void *, void *);
typedef void (*setting_timer)(void *, uint64_t, uint64_t, uint64_t);
typedef void (*setting_function)(void *, void (*)(void *));
REAL(making_source, dispatch_source_create)
REAL(setting, dispatch_source_set_event_handler)
REAL(setting, dispatch_source_set_cancel_handler)
REAL(setting_timer, dispatch_source_set_timer)
REAL(setting_function, dispatch_source_set_event_handler_f)
REAL(setting, dispatch_set_context)
REAL(on_object, dispatch_source_cancel)
REAL(on_object, dispatch_resume)
REAL(on_object, dispatch_suspend)
REAL(on_object, dispatch_activate)

static struct source *source_of(void *address) {
  struct object *object = contextbench_object(address);
  return object == NULL ? NULL : object->source;
}

void *dispatch_source_create(const void *type, uintptr_t handle, uintptr_t mask, void *queue) {
  void *address = real_dispatch_source_create()(type, handle, mask, queue);
  if (!is_simulated()) return address;
  if (type != _dispatch_source_type_timer) {
    simulation->refuse("dispatch_source_create, of another kind than a timer");
    return address;
  }
  struct object *object = contextbench_new_object(address);
  object->suspensions = 1;
  object->source = calloc(1, sizeof *object->source);
  object->source->queue = queue;
  return address;
}

struct shot {
  void *address;
  uint64_t generation;
};

static void set_off(void *address, struct source *source);

static bool repeats(const struct source *source) { return source->interval != UINT64_MAX && source->interval > 0; }

/// Whether only its shots hold a source, of which Dispatch counts the holders from 0: see _OS_OBJECT_HEADER in its sources.
static bool is_dropped(const void *address, const struct source *source) {
  return ((const int32_t *)address)[3] < source->shots;
}

static void drop_handlers(struct source *source) {
  // The handlers may hold the owner of the source.
  if (source->block != NULL) contextbench_release_block(source->block);
  if (source->cancelled != NULL) contextbench_release_block(source->cancelled);
  source->block = source->cancelled = NULL;
}

static void shoot(void *raw) {
  struct shot shot = *(struct shot *)raw;
  free(raw);
  struct source *source = source_of(shot.address);
  bool is_last = source != NULL && source->generation == shot.generation && !source->is_cancelled;
  if (is_last && is_dropped(shot.address, source)) {
    source->is_cancelled = true;
    drop_handlers(source);
  } else if (is_last && contextbench_object(shot.address)->suspensions == 0) {
    struct work *work = source->block != NULL ? contextbench_block_work(source->block)
      : source->body != NULL ? contextbench_work(source->body, source->context) : NULL;
    if (work != NULL) contextbench_enqueue(source->queue, work);
    source->start = repeats(source) ? simulation->clock() + source->interval : UINT64_MAX;
    set_off(shot.address, source);
  }
  if (source != NULL) source->shots -= 1;
  real_dispatch_release()(shot.address);
}

static void set_off(void *address, struct source *source) {
  struct object *object = contextbench_object(address);
  if (source->is_cancelled || object->suspensions > 0 || source->start == UINT64_MAX || source->start == 0) return;
  struct shot *shot = malloc(sizeof *shot);
  source->generation += 1;
  *shot = (struct shot){address, source->generation};
  source->shots += 1;
  real_dispatch_retain()(address);
  simulation->start_at(source->start, repeats(source), "timer", shoot, shot);
}

void dispatch_source_set_timer(void *address, uint64_t start, uint64_t interval, uint64_t leeway) {
  struct source *source = is_simulated() ? source_of(address) : NULL;
  if (source == NULL) return real_dispatch_source_set_timer()(address, start, interval, leeway);
  source->start = contextbench_moment(start);
  source->interval = interval;
  set_off(address, source);
}

void dispatch_source_set_event_handler(void *address, void *block) {
  struct source *source = is_simulated() ? source_of(address) : NULL;
  if (source == NULL) return real_dispatch_source_set_event_handler()(address, block);
  if (source->block != NULL) contextbench_release_block(source->block);
  source->block = block == NULL ? NULL : contextbench_copy_block(block);
}

void dispatch_source_set_event_handler_f(void *address, void (*body)(void *)) {
  struct source *source = is_simulated() ? source_of(address) : NULL;
  if (source == NULL) return real_dispatch_source_set_event_handler_f()(address, body);
  source->body = body;
}

void dispatch_set_context(void *address, void *context) {
  struct source *source = is_simulated() ? source_of(address) : NULL;
  if (source != NULL) source->context = context;
  real_dispatch_set_context()(address, context);
}

void dispatch_source_set_cancel_handler(void *address, void *block) {
  struct source *source = is_simulated() ? source_of(address) : NULL;
  if (source == NULL) return real_dispatch_source_set_cancel_handler()(address, block);
  if (source->cancelled != NULL) contextbench_release_block(source->cancelled);
  source->cancelled = block == NULL ? NULL : contextbench_copy_block(block);
}

void dispatch_source_cancel(void *address) {
  struct source *source = is_simulated() ? source_of(address) : NULL;
  if (source != NULL && !source->is_cancelled) {
    source->is_cancelled = true;
    if (source->cancelled != NULL) contextbench_enqueue(source->queue, contextbench_block_work(source->cancelled));
    drop_handlers(source);
  }
  real_dispatch_source_cancel()(address);
}

static void change_suspensions(void *address, int change) {
  struct object *object = contextbench_object(address);
  if (object == NULL || (change < 0 && object->suspensions == 0)) return;
  object->suspensions += change;
  if (object->suspensions > 0 || !is_simulated()) return;
  if (object->source != NULL) set_off(address, object->source);
  else contextbench_pump(object);
}

void dispatch_resume(void *address) {
  real_dispatch_resume()(address);
  change_suspensions(address, -1);
}

void dispatch_activate(void *address) {
  real_dispatch_activate()(address);
  struct object *object = contextbench_object(address);
  if (object != NULL && object->suspensions == 1) change_suspensions(address, -1);
}

void dispatch_suspend(void *address) {
  real_dispatch_suspend()(address);
  change_suspensions(address, 1);
}

#include "queues.h"

#include <stdlib.h>
#include <string.h>

// MARK: What is known of objects

// An open table by address. Objects that are gone leave their place, which the next of that address takes.
static struct object **table;
static size_t capacity, count;
static uint64_t numbers;
static bool is_locked;

static size_t place_of(const void *address) {
  size_t place = ((uintptr_t)address >> 4) * 0x9E3779B97F4A7C15u % capacity;
  while (table[place] != NULL && table[place]->address != address) place = (place + 1) % capacity;
  return place;
}

static void lock_table(void) { while (__atomic_test_and_set(&is_locked, __ATOMIC_ACQUIRE)) {} }
static void unlock_table(void) { __atomic_clear(&is_locked, __ATOMIC_RELEASE); }

struct object *contextbench_object(const void *address) {
  lock_table();
  struct object *found = capacity == 0 ? NULL : table[place_of(address)];
  unlock_table();
  return found;
}

struct object *contextbench_new_object(const void *address) {
  lock_table();
  if (count * 2 >= capacity) {
    struct object **old = table;
    size_t old_capacity = capacity;
    capacity = capacity == 0 ? 1024 : capacity * 2;
    table = calloc(capacity, sizeof *table);
    for (size_t place = 0; place < old_capacity; place += 1) {
      if (old[place] != NULL) table[place_of(old[place]->address)] = old[place];
    }
    free(old);
  }
  size_t place = place_of(address);
  if (table[place] == NULL) {
    table[place] = malloc(sizeof *table[place]);
    count += 1;
  }
  numbers += 1;
  *table[place] = (struct object){.address = address, .number = numbers};
  struct object *new = table[place];
  unlock_table();
  return new;
}

void contextbench_forget_queues(void) {
  for (size_t place = 0; place < capacity; place += 1) {
    struct object *object = table[place];
    if (object == NULL) continue;
    // It was enqueued in a simulation that came to no end.
    object->first = object->last = NULL;
    object->running = 0;
    object->is_exclusive = false;
  }
}

// MARK: Blocks

struct block {
  void *isa;
  int flags;
  int reserved;
  void (*invoke)(void *);
  const struct {
    unsigned long reserved, size;
  } *layout;
  // Of a work item, which Dispatch has made: see dispatch_block_private_data_s in its sources.
  unsigned long magic;
  unsigned long item_flags;
  unsigned state;
  int runs;
};

enum { item_magic = 0xD159B10C, item_is_barrier = 1 };

bool contextbench_is_barrier(const void *raw) {
  const struct block *block = raw;
  bool is_item = block->layout->size >= sizeof *block && block->magic == item_magic;
  return is_item && (block->item_flags & item_is_barrier) != 0;
}

bool contextbench_has_run(const void *block) { return ((const struct block *)block)->runs > 0; }

extern void *_Block_copy(const void *);
extern void _Block_release(const void *);

void *contextbench_copy_block(const void *block) { return _Block_copy(block); }
void contextbench_release_block(const void *block) { _Block_release(block); }
void contextbench_call_block(void *block) { ((struct block *)block)->invoke(block); }

struct work *contextbench_work(void (*body)(void *), void *context) {
  struct work *work = calloc(1, sizeof *work);
  work->body = body;
  work->context = context;
  return work;
}

struct work *contextbench_block_work(const void *block) {
  struct work *work = contextbench_work(contextbench_call_block, _Block_copy(block));
  work->is_block = true;
  work->is_barrier = contextbench_is_barrier(block);
  return work;
}

static void run_work(struct work *work) {
  void *group = work->group;
  work->body(work->context);
  if (work->is_block) {
    contextbench_block_is_over(work->context);
    _Block_release(work->context);
  }
  free(work);
  if (group != NULL) contextbench_leave_group(group);
}

// MARK: Where a thread is

struct frame {
  void *queue;
  struct frame *outer;
};

static _Thread_local struct frame *innermost;

void *contextbench_current_queue(void) {
  if (innermost != NULL) return innermost->queue;
  return simulation->is_main() ? _dispatch_main_q : NULL;
}

void *contextbench_target(void *queue) {
  struct object *object = contextbench_object(queue);
  return object == NULL ? NULL : object->target;
}

bool contextbench_is_on(const void *queue) {
  for (struct frame *frame = innermost; frame != NULL; frame = frame->outer) {
    for (void *place = frame->queue; place != NULL; place = contextbench_target(place)) {
      if (place == queue) return true;
    }
  }
  return queue == _dispatch_main_q && simulation->is_main();
}

typedef const char *(*labelling)(void *);
REAL(labelling, dispatch_queue_get_label)

const char *contextbench_label(void *queue) {
  if (contextbench_is_global(queue)) return "global queue";
  const char *label = real_dispatch_queue_get_label()(queue);
  if (label == NULL || label[0] == 0) return "queue";
  // One without a name has its address for one, which is another each time.
  return strncmp(label, "NSOperationQueue 0x", 19) == 0 ? "operation queue" : label;
}

bool contextbench_is_global(const void *queue) { return queue != _dispatch_main_q && contextbench_object(queue) == NULL; }

void contextbench_pass_by(const char *point, void *queue) {
  struct object *known = contextbench_object(queue);
  uint64_t number = known != NULL ? known->number : (uint64_t)(uintptr_t)queue;
  simulation->pass(point, number, contextbench_label(queue));
}

// MARK: Running

// As Dispatch holds a queue itself: one that only a source or another queue has left must not be retained by a program.
extern void *_os_object_retain_internal(void *);
extern void _os_object_release_internal(void *);

struct turn {
  void *queue;
  struct work *work;
};

static void run_on(void *queue, struct work *work) {
  struct frame frame = {queue, innermost};
  innermost = &frame;
  run_work(work);
  innermost = frame.outer;
}

/// Work that runs is over: others may be next.
static void finish(struct object *queue) {
  queue->is_exclusive = false;
  queue->running -= 1;
  contextbench_pump(queue);
}

static void run_turn(void *raw) {
  struct turn turn = *(struct turn *)raw;
  free(raw);
  struct object *queue = contextbench_object(turn.queue);
  run_on(turn.queue, turn.work);
  if (queue != NULL) finish(queue);
  _os_object_release_internal(turn.queue);
}

static struct turn *new_turn(void *queue, struct work *work) {
  struct turn *turn = malloc(sizeof *turn);
  *turn = (struct turn){queue, work};
  return turn;
}

/// Runs the queue's work where its target is.
static void start(struct object *queue, struct work *work) {
  if (work->grant != NULL) {
    *work->grant = true;
    simulation->wake((uint64_t)(uintptr_t)work->grant);
    free(work);
    return;
  }
  void *address = (void *)queue->address;
  _os_object_retain_internal(address);
  struct turn *turn = new_turn(address, work);
  if (queue->target == NULL || contextbench_is_global(queue->target)) {
    simulation->start(contextbench_label(address), queue->is_concurrent ? 0 : queue->number, run_turn, turn);
  } else {
    contextbench_enqueue(queue->target, contextbench_work(run_turn, turn));
  }
}

void contextbench_pump(struct object *queue) {
  while (queue->first != NULL && queue->suspensions == 0 && !queue->is_exclusive) {
    struct work *work = queue->first;
    bool is_exclusive = work->is_barrier || !queue->is_concurrent;
    if (is_exclusive && queue->running > 0) return;
    queue->first = work->next;
    if (queue->first == NULL) queue->last = NULL;
    queue->running += 1;
    queue->is_exclusive = is_exclusive;
    start(queue, work);
  }
}

static void join(struct object *queue, struct work *work) {
  if (queue->last == NULL) queue->first = work;
  else queue->last->next = work;
  queue->last = work;
  contextbench_pump(queue);
}

static void run_on_main(void *raw) { run_on(_dispatch_main_q, raw); }

extern void *dispatch_get_global_queue(intptr_t, uintptr_t);

static void run_globally(void *raw) { run_on(dispatch_get_global_queue(0, 0), raw); }

void contextbench_enqueue(void *address, struct work *work) {
  struct object *queue = contextbench_object(address);
  if (address == _dispatch_main_q) {
    simulation->send_to_main(run_on_main, work);
  } else if (queue != NULL) {
    join(queue, work);
  } else {
    simulation->start("global queue", 0, run_globally, work);
  }
}

struct errand {
  void (*body)(void *);
  void *context;
  bool is_over;
};

static void run_errand(void *raw) {
  struct errand *errand = raw;
  errand->body(errand->context);
  errand->is_over = true;
  simulation->wake((uint64_t)(uintptr_t)errand);
}

static void run_in_main(void (*body)(void *), void *context) {
  struct errand errand = {body, context, false};
  contextbench_enqueue(_dispatch_main_q, contextbench_work(run_errand, &errand));
  while (!errand.is_over) simulation->park((uint64_t)(uintptr_t)&errand, "the main queue");
}

void contextbench_run_in_turn(void *address, void (*body)(void *), void *context, bool is_barrier) {
  struct object *queue = contextbench_object(address);
  if (address == _dispatch_main_q) return run_in_main(body, context);
  struct frame frame = {address, innermost};
  if (queue == NULL) {
    innermost = &frame;
    body(context);
    innermost = frame.outer;
    return;
  }
  bool is_mine = false;
  struct work *work = contextbench_work(NULL, NULL);
  work->is_barrier = is_barrier;
  work->grant = &is_mine;
  join(queue, work);
  while (!is_mine) simulation->park((uint64_t)(uintptr_t)&is_mine, contextbench_label(address));
  void *target = queue->target;
  innermost = &frame;
  if (target != NULL && !contextbench_is_global(target)) contextbench_run_in_turn(target, body, context, false);
  else body(context);
  innermost = frame.outer;
  finish(queue);
}

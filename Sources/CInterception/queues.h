// Dispatch's queues as a simulation has them.
#ifndef QUEUES_H
#define QUEUES_H

#include "interception.h"

/// Work for a queue: a function with its context, or a block that was copied.
struct work {
  void (*body)(void *);
  void *context;
  bool is_block;
  bool is_barrier;
  /// Of a thread that waits for the queue and runs the work itself: set when it may.
  bool *grant;
  /// The group that the work is part of, or NULL.
  void *group;
  struct work *next;
};

/// A queue or a source of Dispatch's, as a simulation knows it.
struct object {
  const void *address;
  /// The number of the queue in the order in which they are made.
  uint64_t number;
  bool is_concurrent;
  void *target;
  int suspensions;
  struct work *first, *last;
  int running;
  bool is_exclusive;
  struct source *source;
};

/// The main queue, and whether a queue is one of those that belong to all.
extern char _dispatch_main_q[];
bool contextbench_is_global(const void *queue);

/// The known object of an address; NULL for none.
struct object *contextbench_object(const void *address);
/// The same, made where nothing is known yet.
struct object *contextbench_new_object(const void *address);

void *contextbench_copy_block(const void *block);
void contextbench_release_block(const void *block);
void contextbench_call_block(void *block);

/// Whether a block is a work item that runs alone on its queue.
bool contextbench_is_barrier(const void *block);
/// Whether a work item has run.
bool contextbench_has_run(const void *block);

struct work *contextbench_work(void (*body)(void *), void *context);
struct work *contextbench_block_work(const void *block);

/// Enqueues work; it belongs to the queue from now on.
void contextbench_enqueue(void *queue, struct work *work);
/// Runs work in the queue's turn, before it returns.
void contextbench_run_in_turn(void *queue, void (*body)(void *), void *context, bool is_barrier);
/// Starts the work that may run now.
void contextbench_pump(struct object *queue);

/// Whether the calling thread runs work of a queue, or of one that has it as its target.
bool contextbench_is_on(const void *queue);
/// The queue of the work that the calling thread runs; NULL for none.
void *contextbench_current_queue(void);
void *contextbench_target(void *queue);

const char *contextbench_label(void *queue);

/// A step of the calling task on a queue.
void contextbench_pass_by(const char *point, void *queue);

void contextbench_leave_group(void *group);

#endif

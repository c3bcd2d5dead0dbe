// Shared by the files of this target.
#ifndef INTERCEPTION_H
#define INTERCEPTION_H

#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "CRuntime.h"

/// Whether calls of this thread are those of a simulation's task.
extern _Thread_local int contextbench_intercepted __attribute__((tls_model("initial-exec")));

/// The simulation that runs; read by its tasks only.
extern const struct contextbench_simulation *contextbench_running;

#define is_simulated() (contextbench_intercepted != 0)
#define simulation contextbench_running

/// The system's function of a name, looked for once.
#define REAL(type, name)                                                                                               \
  static type real_##name##_found;                                                                                     \
  static inline type real_##name(void) {                                                                               \
    if (__builtin_expect(real_##name##_found == NULL, 0)) real_##name##_found = (type)contextbench_real(#name);         \
    return real_##name##_found;                                                                                        \
  }

void *contextbench_real(const char *name);

/// Where the code of the program is, and of two libraries.
struct code {
  const char *start, *end;
};

extern struct code contextbench_program, contextbench_dispatch, contextbench_foundation;

static inline bool contextbench_is_in(struct code code, const void *address) {
  return (const char *)address >= code.start && (const char *)address < code.end;
}

// Of Foundation's functions the frame is known.
#pragma clang diagnostic ignored "-Wframe-address"

/// Whether the program calls, itself or by way of one function of Foundation's, which have frame pointers; libraries' own
/// locks are no steps.
#define is_called_by_program()                                                                                         \
  (contextbench_is_in(contextbench_program, __builtin_return_address(0))                                                                         \
    || (contextbench_is_in(contextbench_foundation, __builtin_return_address(0)) && contextbench_is_in(contextbench_program, __builtin_return_address(1))))

/// Whether a task's call is simulated: Dispatch's own work with its threads is not.
#define is_simulated_here() (is_simulated() && !contextbench_is_in(contextbench_dispatch, __builtin_return_address(0)))

/// Notes that a task holds something that others wait for, or does no longer.
void contextbench_note_held(const void *object, int change);
bool contextbench_is_held(const void *object);

/// Threads that wait for an object in the order in which they came, until one names them.
struct waiter {
  const void *object;
  bool is_woken;
  struct waiter *next;
};

/// Waits until the waiter is woken or, with a deadline other than 0, until then; whether it was woken.
bool contextbench_wait(struct waiter *waiter, const void *object, const char *reason, uint64_t deadline);
/// Wakes the first `count` that wait for an object; how many there were.
int contextbench_wake(const void *object, int count);

/// A task that crashes leaves its simulation before the crash is handled.
void contextbench_watch_faults(void);

/// A new simulation begins.
void contextbench_forget_queues(void);
void contextbench_forget_notices(void);
void contextbench_forget_timers(void);
void contextbench_reset_random(void);

/// A moment as Dispatch names it, by the simulation's clock; UINT64_MAX for never.
uint64_t contextbench_moment(uint64_t time);

/// Runs the blocks that waited for a block to be over.
void contextbench_block_is_over(const void *block);

uint64_t contextbench_wall_base(void);

#endif

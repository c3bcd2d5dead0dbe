// Calls of threads, locks, clocks and Dispatch that the threads of a simulation make: an executable that links this target
// has its own functions of these names, and the libraries that it loads call them. Outside of a simulation each calls the
// system's.
#ifndef CONTEXTBENCH_CINTERCEPTION_H
#define CONTEXTBENCH_CINTERCEPTION_H

#include <stdbool.h>
#include <stdint.h>

/// Whether the calling thread's calls are part of a simulation.
bool contextbench_is_intercepted(void);

/// The next task that the calling thread makes outside of a simulation does not begin, until it is started as one of a
/// simulation's.
void contextbench_hold_next_task(void);

/// The task that was held back; NULL for none.
void *contextbench_held_task(void);

/// Starts a task that was held back; called by a simulation's task.
void contextbench_start_held_task(void *task);

/// The place of an address in the executable's file; 0 where it is in a library's.
uintptr_t contextbench_place(uintptr_t address);

#endif

// Functions that Swift's runtime offers but Swift code may not name.
#ifndef CONTEXTBENCH_CRUNTIME_H
#define CONTEXTBENCH_CRUNTIME_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Retains `object` unless its deinitialisation has begun; then returns NULL.
///
/// The object's memory must not be freed during the call.
extern void *swift_tryRetain(void *object);

/// The record of the calling thread; NULL at its start. Read without a call, unlike a key of pthreads.
extern _Thread_local void *contextbench_thread_record __attribute__((tls_model("initial-exec")));

static inline void *contextbench_get_thread_record(void) { return contextbench_thread_record; }

static inline void contextbench_set_thread_record(void *record) { contextbench_thread_record = record; }

/// Tells the processor that the thread waits for another one's write.
static inline void contextbench_pause(void) {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  __asm__ volatile("yield");
#endif
}

/// Sleeps until `contextbench_wake_one` is called for `word`; returns at once where the word is not `expected`, and may
/// return without a cause.
void contextbench_sleep_while(const void *word, uint32_t expected);

/// Wakes one of the threads that sleep on `word`.
void contextbench_wake_one(const void *word);

/// Whether the calling thread may run on one processor only.
bool contextbench_has_one_processor(void);

/// In a pass over many objects or rows, each somewhere else in memory: so many elements ahead of the one that is read, the
/// processor is asked for another.
#define CONTEXTBENCH_PREFETCH_DISTANCE 6

/// Asks the processor for the first `lines` cache lines at `address`, which will be read soon; any address will do.
static inline void contextbench_prefetch(const void *address, int lines) {
  for (int line = 0; line < lines; line += 1) __builtin_prefetch((const char *)address + line * 64);
}

/// Finds the classes of the process that are called `name`, without a module, in whatever module or type they are.
///
/// Writes up to `capacity` metatypes to `found`; returns how many there are. Generic classes and classes declared inside
/// functions are left out. Complexity: linear in the number of types in the process.
size_t contextbench_classes_named(const char *name, const void **found, size_t capacity);

/// Takes `count` arguments from `list`; each of `kinds` says how it was passed: `i` an int, `u` an unsigned int, `l` an
/// integer of 64 bits, `p` a pointer, `d` a double.
///
/// Doubles are written to `reals`, others to `integers`, at the argument's place.
void contextbench_take_arguments(va_list list, const char *kinds, size_t count, int64_t *integers, double *reals);

/// An intercepted call asks this of the simulation that the calling thread is part of. An object is known by its
/// address; times are nanoseconds of the simulation's clock.
struct contextbench_simulation {
  /// Others may go first: a step of a kind, on an object that has a number and no address
  /// that another one may get, or 0, with a name for readers.
  void (*pass)(const char *point, uint64_t object, const char *subject);
  /// Waits until the object is woken; the caller looks again then.
  void (*park)(uint64_t object, const char *reason);
  /// Waits until the object is woken, at the latest until a time.
  void (*park_until)(uint64_t object, const char *reason, uint64_t time);
  /// Waits for so long. Others may be slower than that.
  void (*pause)(uint64_t nanoseconds);
  void (*wake)(uint64_t object);
  /// Starts a task. Two of one identity, one after the other, are the same task for readers; 0 for none.
  void (*start)(const char *name, uint64_t identity, void (*body)(void *), void *context);
  /// The same once a time has come; a timer that repeats keeps no simulation open.
  void (*start_at)(uint64_t time, bool repeats, const char *name, void (*body)(void *), void *context);
  /// The calling thread becomes a task that `adopt` waits for; the task's number.
  void *(*announce)(const char *name);
  void (*adopt)(void *task);
  void (*leave)(void *task);
  void (*send_to_main)(void (*body)(void *), void *context);
  /// Runs the first block that waits for the main thread, on the calling one; whether there was one.
  bool (*serve_main)(void);
  bool (*is_main)(void);
  uint64_t (*clock)(void);
  /// A call that cannot be simulated ends the simulation.
  void (*refuse)(const char *name);
};

/// Intercepts the calls of a process, where one is linked.
struct contextbench_interception {
  void (*begin)(const struct contextbench_simulation *simulation);
  /// Whether calls of the calling thread are intercepted from now on; whether they were.
  bool (*set)(bool is_on);
};

/// NULL where none is linked.
extern const struct contextbench_interception *contextbench_interception;

/// Whether calls of the calling thread are intercepted from now on; whether they were.
static inline bool contextbench_set_intercepted(bool is_on) {
  return contextbench_interception != NULL && contextbench_interception->set(is_on);
}

/// The calls of a simulation's tasks go to it from now on.
static inline void contextbench_intercept(const struct contextbench_simulation *simulation) {
  if (contextbench_interception != NULL) contextbench_interception->begin(simulation);
}

#endif

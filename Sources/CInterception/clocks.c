#include "interception.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/random.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

/// The wall's clock when a simulation's is 0: a day on which little happened.
enum { base_seconds = 1700000000 };

uint64_t contextbench_wall_base(void) { return base_seconds * UINT64_C(1000000000); }

typedef int (*clock_reading)(clockid_t, struct timespec *);
REAL(clock_reading, clock_gettime)
typedef int (*day_reading)(struct timeval *, void *);
REAL(day_reading, gettimeofday)
typedef time_t (*second_reading)(time_t *);
REAL(second_reading, time)

static struct timespec spec(uint64_t nanoseconds) {
  return (struct timespec){(time_t)(nanoseconds / 1000000000u), (long)(nanoseconds % 1000000000u)};
}

int clock_gettime(clockid_t clock, struct timespec *now) {
  if (is_simulated()) {
    switch (clock) {
    case CLOCK_REALTIME:
    case CLOCK_REALTIME_COARSE:
      *now = spec(contextbench_wall_base() + simulation->clock());
      return 0;
    case CLOCK_MONOTONIC:
    case CLOCK_MONOTONIC_RAW:
    case CLOCK_MONOTONIC_COARSE:
    case CLOCK_BOOTTIME:
      *now = spec(simulation->clock());
      return 0;
    default:
      break;
    }
  }
  return real_clock_gettime()(clock, now);
}

int gettimeofday(struct timeval *restrict now, void *restrict zone) {
  if (!is_simulated()) return real_gettimeofday()(now, zone);
  uint64_t nanoseconds = contextbench_wall_base() + simulation->clock();
  *now = (struct timeval){(time_t)(nanoseconds / 1000000000u), (suseconds_t)(nanoseconds % 1000000000u / 1000)};
  return 0;
}

time_t time(time_t *result) {
  if (!is_simulated()) return real_time()(result);
  time_t now = (time_t)((contextbench_wall_base() + simulation->clock()) / 1000000000u);
  if (result != NULL) *result = now;
  return now;
}

// MARK: Sleeping

typedef int (*napping)(const struct timespec *, struct timespec *);
REAL(napping, nanosleep)
typedef int (*micro_napping)(useconds_t);
REAL(micro_napping, usleep)
typedef unsigned (*sleeping)(unsigned);
REAL(sleeping, sleep)

int nanosleep(const struct timespec *time, struct timespec *left) {
  if (!is_simulated()) return real_nanosleep()(time, left);
  simulation->pause((uint64_t)time->tv_sec * 1000000000u + (uint64_t)time->tv_nsec);
  return 0;
}

int usleep(useconds_t microseconds) {
  if (!is_simulated()) return real_usleep()(microseconds);
  simulation->pause((uint64_t)microseconds * 1000);
  return 0;
}

unsigned sleep(unsigned seconds) {
  if (!is_simulated()) return real_sleep()(seconds);
  simulation->pause((uint64_t)seconds * 1000000000u);
  return 0;
}

typedef int (*yielding)(void);
REAL(yielding, sched_yield)

int sched_yield(void) {
  if (!is_simulated()) return real_sched_yield()();
  simulation->pause(1000);
  return 0;
}

// MARK: Random numbers

static uint64_t state;

void contextbench_reset_random(void) { state = 0x9E3779B97F4A7C15u; }

bool contextbench_fill_random(void *bytes, size_t count) {
  if (!is_simulated()) return false;
  for (size_t place = 0; place < count; place += 1) {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    ((uint8_t *)bytes)[place] = (uint8_t)(state >> 32);
  }
  return true;
}

typedef ssize_t (*drawing)(void *, size_t, unsigned);
REAL(drawing, getrandom)
typedef int (*drawing_all)(void *, size_t);
REAL(drawing_all, getentropy)

ssize_t getrandom(void *bytes, size_t count, unsigned flags) {
  return contextbench_fill_random(bytes, count) ? (ssize_t)count : real_getrandom()(bytes, count, flags);
}

int getentropy(void *bytes, size_t count) {
  return contextbench_fill_random(bytes, count) ? 0 : real_getentropy()(bytes, count);
}

// MARK: Run loops

// A run loop sleeps on descriptors, and is woken by one. This address identifies the wait of its thread.
static const char run_loops;

typedef int (*polling)(struct pollfd *, nfds_t, const struct timespec *, const sigset_t *);
REAL(polling, ppoll)
typedef int (*writing_event)(int, eventfd_t);
REAL(writing_event, eventfd_write)
typedef int (*setting_timer)(int, int, const struct itimerspec *, struct itimerspec *);
REAL(setting_timer, timerfd_settime)

// Timers of run loops: the kernel's clock is not the simulation's, so each goes off here.
enum { timers_max = 64 };
static struct {
  int descriptor;
  uint64_t due;
} timers[timers_max];
static int timer_count;

void contextbench_forget_timers(void) { timer_count = 0; }

static uint64_t nanoseconds(struct timespec time) {
  return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

int timerfd_settime(int descriptor, int flags, const struct itimerspec *new, struct itimerspec *old) {
  if (!is_simulated()) return real_timerfd_settime()(descriptor, flags, new, old);
  int place = 0;
  while (place < timer_count && timers[place].descriptor != descriptor) place += 1;
  if (place == timers_max) {
    simulation->refuse("timerfd_settime, by more than 64 timers");
    return 0;
  }
  if (place == timer_count) timer_count += 1;
  uint64_t due = nanoseconds(new->it_value);
  if (due > 0 && (flags & TFD_TIMER_ABSTIME) == 0) due += simulation->clock();
  if (due > contextbench_wall_base()) due -= contextbench_wall_base();
  timers[place].descriptor = descriptor;
  timers[place].due = due;
  // None by the kernel's clock; one that is due is over at once.
  struct itimerspec none = {{0, 0}, {0, 0}};
  return real_timerfd_settime()(descriptor, 0, &none, old);
}

/// Lets timers go off that are due; when the next one is.
static uint64_t next_timer(void) {
  uint64_t next = UINT64_MAX;
  for (int place = 0; place < timer_count; place += 1) {
    if (timers[place].due == 0) continue;
    if (timers[place].due > simulation->clock()) {
      if (timers[place].due < next) next = timers[place].due;
      continue;
    }
    timers[place].due = 0;
    struct itimerspec now = {{0, 0}, {0, 1}};
    real_timerfd_settime()(timers[place].descriptor, 0, &now, NULL);
  }
  return next;
}

int ppoll(struct pollfd *descriptors, nfds_t count, const struct timespec *timeout, const sigset_t *signals) {
  if (!is_simulated()) return real_ppoll()(descriptors, count, timeout, signals);
  uint64_t end = timeout == NULL ? UINT64_MAX : simulation->clock() + nanoseconds(*timeout);
  struct timespec none = {0, 0};
  while (true) {
    uint64_t due = next_timer();
    int ready = real_ppoll()(descriptors, count, &none, signals);
    if (ready != 0) return ready;
    if (simulation->is_main() && simulation->serve_main()) continue;
    if (simulation->clock() >= end) return 0;
    uint64_t next = due < end ? due : end;
    if (next == UINT64_MAX) simulation->park((uint64_t)(uintptr_t)&run_loops, "a run loop");
    else simulation->park_until((uint64_t)(uintptr_t)&run_loops, "a run loop", next);
  }
}

int eventfd_write(int descriptor, eventfd_t value) {
  int result = real_eventfd_write()(descriptor, value);
  if (is_simulated()) simulation->wake((uint64_t)(uintptr_t)&run_loops);
  return result;
}

typedef unsigned char (*asking)(void *, void *);
REAL(asking, _CFRunLoopFinished)

/// How long a run loop waits that has nothing to wait for, before its thread looks again.
enum { pause_nanoseconds = 100000000 };

unsigned char _CFRunLoopFinished(void *loop, void *mode) {
  unsigned char is_finished = real__CFRunLoopFinished()(loop, mode);
  if (!is_finished || !is_simulated()) return is_finished;
  // The simulation's main thread is not the process's, and its run loop knows no main queue.
  if (simulation->is_main() && simulation->serve_main()) return is_finished;
  simulation->park_until(
    (uint64_t)(uintptr_t)&run_loops, "a run loop", simulation->clock() + pause_nanoseconds);
  return is_finished;
}

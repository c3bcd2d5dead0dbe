#include "interception.h"

#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>
#include <time.h>

// MARK: Locks

typedef int (*on_mutex)(pthread_mutex_t *);
REAL(on_mutex, pthread_mutex_lock)
REAL(on_mutex, pthread_mutex_trylock)
REAL(on_mutex, pthread_mutex_unlock)

// Locks that tasks hold: a task that waits for one of another thread's waits as ever. An open table by address.
struct held {
  const void *lock;
  int count;
};
static struct held *held;
static size_t held_size, held_count;
// Tasks that wait for a lock.
static int waiting_for_locks;

/// Where a lock is, or would be.
static struct held *held_place(const void *lock) {
  // The size is a power of two.
  size_t mask = held_size - 1, place = ((uintptr_t)lock >> 3) * 0x9E3779B1u & mask;
  while (held[place].lock != NULL && held[place].lock != lock) place = (place + 1) & mask;
  return &held[place];
}

/// Makes room: addresses of locks that are free leave, those that tasks hold stay.
static void renew_held(void) {
  struct held *old = held;
  size_t old_size = held_size, kept = 0;
  for (size_t place = 0; place < old_size; place += 1) kept += old[place].count > 0;
  size_t size = 4096;
  while (size < kept * 4) size *= 2;
  // An allocator may take locks, which come here.
  contextbench_intercepted = 0;
  struct held *new = calloc(size, sizeof *new);
  contextbench_intercepted = 1;
  held = new;
  held_size = size;
  held_count = kept;
  for (size_t place = 0; place < old_size; place += 1) {
    if (old[place].count > 0) *held_place(old[place].lock) = old[place];
  }
  contextbench_intercepted = 0;
  free(old);
  contextbench_intercepted = 1;
}

void contextbench_note_held(const void *lock, int change) {
  if (held_count * 2 >= held_size) renew_held();
  struct held *place = held_place(lock);
  if (place->lock == NULL) {
    if (change < 0) return;
    place->lock = lock;
    held_count += 1;
  }
  place->count += change;
  if (place->count < 0) place->count = 0;
}

bool contextbench_is_held(const void *lock) {
  return held_size > 0 && held_place(lock)->count > 0;
}

/// Takes a lock that the calling task has to wait for while another one has it.
static int take(
  void *lock, int busy, int (*try)(void *), int (*wait)(void *), const char *reason
) {
  int result;
  while ((result = try(lock)) == busy) {
    if (!contextbench_is_held(lock)) {
      contextbench_intercepted = 0;
      result = wait(lock);
      contextbench_intercepted = 1;
      break;
    }
    waiting_for_locks += 1;
    simulation->park((uint64_t)(uintptr_t)lock, reason);
    waiting_for_locks -= 1;
  }
  if (result == 0) contextbench_note_held(lock, 1);
  return result;
}

static int released(void *lock, int result) {
  if (result == 0) contextbench_note_held(lock, -1);
  if (waiting_for_locks > 0) simulation->wake((uint64_t)(uintptr_t)lock);
  return result;
}

static int try_mutex(void *lock) { return real_pthread_mutex_trylock()(lock); }
static int wait_mutex(void *lock) { return real_pthread_mutex_lock()(lock); }

int pthread_mutex_lock(pthread_mutex_t *lock) {
  if (!is_simulated()) return real_pthread_mutex_lock()(lock);
  if (is_called_by_program()) {
    simulation->pass("lock", 0, "");
  }
  return take(lock, EBUSY, try_mutex, wait_mutex, "a lock");
}

int pthread_mutex_trylock(pthread_mutex_t *lock) {
  if (!is_simulated()) return real_pthread_mutex_trylock()(lock);
  if (is_called_by_program()) {
    simulation->pass("try lock", 0, "");
  }
  int result = real_pthread_mutex_trylock()(lock);
  if (result == 0) contextbench_note_held(lock, 1);
  return result;
}

int pthread_mutex_unlock(pthread_mutex_t *lock) {
  int result = real_pthread_mutex_unlock()(lock);
  return is_simulated() ? released(lock, result) : result;
}

typedef int (*on_rwlock)(pthread_rwlock_t *);
REAL(on_rwlock, pthread_rwlock_rdlock)
REAL(on_rwlock, pthread_rwlock_tryrdlock)
REAL(on_rwlock, pthread_rwlock_wrlock)
REAL(on_rwlock, pthread_rwlock_trywrlock)
REAL(on_rwlock, pthread_rwlock_unlock)

static int try_read(void *lock) { return real_pthread_rwlock_tryrdlock()(lock); }
static int wait_read(void *lock) { return real_pthread_rwlock_rdlock()(lock); }
static int try_write(void *lock) { return real_pthread_rwlock_trywrlock()(lock); }
static int wait_write(void *lock) { return real_pthread_rwlock_wrlock()(lock); }

int pthread_rwlock_rdlock(pthread_rwlock_t *lock) {
  if (!is_simulated()) return wait_read(lock);
  return take(lock, EBUSY, try_read, wait_read, "a lock for reading");
}

int pthread_rwlock_wrlock(pthread_rwlock_t *lock) {
  if (!is_simulated()) return wait_write(lock);
  return take(lock, EBUSY, try_write, wait_write, "a lock for writing");
}

static int noted(pthread_rwlock_t *lock, int result) {
  if (result == 0 && is_simulated()) contextbench_note_held(lock, 1);
  return result;
}

int pthread_rwlock_tryrdlock(pthread_rwlock_t *lock) { return noted(lock, try_read(lock)); }

int pthread_rwlock_trywrlock(pthread_rwlock_t *lock) { return noted(lock, try_write(lock)); }

int pthread_rwlock_unlock(pthread_rwlock_t *lock) {
  int result = real_pthread_rwlock_unlock()(lock);
  return is_simulated() ? released(lock, result) : result;
}

// MARK: Conditions

typedef int (*on_condition)(pthread_cond_t *);
typedef int (*waiting)(pthread_cond_t *, pthread_mutex_t *);
typedef int (*timed_waiting)(pthread_cond_t *, pthread_mutex_t *, const struct timespec *);
REAL(on_condition, pthread_cond_signal)
REAL(on_condition, pthread_cond_broadcast)
REAL(waiting, pthread_cond_wait)
REAL(timed_waiting, pthread_cond_timedwait)

static int wait_for_condition(pthread_cond_t *condition, pthread_mutex_t *lock, uint64_t deadline) {
  struct waiter waiter;
  pthread_mutex_unlock(lock);
  bool is_woken = contextbench_wait(&waiter, condition, "a condition", deadline);
  take(lock, EBUSY, try_mutex, wait_mutex, "a condition's lock");
  return is_woken ? 0 : ETIMEDOUT;
}

int pthread_cond_wait(pthread_cond_t *condition, pthread_mutex_t *lock) {
  if (!is_simulated()) return real_pthread_cond_wait()(condition, lock);
  return wait_for_condition(condition, lock, 0);
}

int pthread_cond_timedwait(pthread_cond_t *condition, pthread_mutex_t *lock, const struct timespec *end) {
  if (!is_simulated()) return real_pthread_cond_timedwait()(condition, lock, end);
  uint64_t moment = (uint64_t)end->tv_sec * 1000000000u + (uint64_t)end->tv_nsec;
  // By the wall's clock or by the one that begins with the machine.
  if (moment > contextbench_wall_base() / 2) moment -= moment < contextbench_wall_base() ? moment : contextbench_wall_base();
  return wait_for_condition(condition, lock, moment == 0 ? 1 : moment);
}

int pthread_cond_signal(pthread_cond_t *condition) {
  if (is_simulated()) contextbench_wake(condition, 1);
  return real_pthread_cond_signal()(condition);
}

int pthread_cond_broadcast(pthread_cond_t *condition) {
  if (is_simulated()) contextbench_wake(condition, INT32_MAX);
  return real_pthread_cond_broadcast()(condition);
}

// MARK: Semaphores

typedef int (*on_semaphore)(sem_t *);
REAL(on_semaphore, sem_wait)
REAL(on_semaphore, sem_trywait)
REAL(on_semaphore, sem_post)

int sem_wait(sem_t *semaphore) {
  if (!is_simulated_here()) return real_sem_wait()(semaphore);
  while (real_sem_trywait()(semaphore) != 0) simulation->park((uint64_t)(uintptr_t)semaphore, "a semaphore");
  return 0;
}

int sem_post(sem_t *semaphore) {
  int result = real_sem_post()(semaphore);
  if (is_simulated_here()) simulation->wake((uint64_t)(uintptr_t)semaphore);
  return result;
}

#define _GNU_SOURCE
#include "CProcess.h"

#include <dirent.h>
#include <errno.h>
#include <execinfo.h>
#include <fcntl.h>
#include <limits.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { FRAMES_MAX = 128, THREAD_WAIT_MS_MAX = 200, CHILD_WAIT_MS_MAX = 4000 };

// Dispatch blocks most signals on its threads; this one it leaves open.
static const int thread_signal = SIGPROF;

static char dump_path[PATH_MAX];
static int dump_descriptor = -1;
static atomic_int thread_is_written;
static atomic_int forward_descriptor = -1;

int cprocess_die_with_parent(int parent) {
  if (prctl(PR_SET_PDEATHSIG, SIGKILL) != 0) return errno;
  // The parent may have died before the call.
  if (getppid() != parent) raise(SIGKILL);
  return 0;
}

int cprocess_open(int process) {
  // Closed in children by itself.
  long descriptor = syscall(SYS_pidfd_open, process, 0);
  return descriptor < 0 ? -errno : (int)descriptor;
}

int cprocess_add_close_from(posix_spawn_file_actions_t *actions, int first) {
  return posix_spawn_file_actions_addclosefrom_np(actions, first);
}

void cprocess_stay_on_processor(int number) {
  cpu_set_t allowed;
  if (sched_getaffinity(0, sizeof allowed, &allowed) != 0) return;
  int count = CPU_COUNT(&allowed);
  if (count <= 1) return;
  int wanted = (number % count + count) % count;
  for (int processor = 0; processor < CPU_SETSIZE; processor++) {
    if (!CPU_ISSET(processor, &allowed) || wanted-- > 0) continue;
    cpu_set_t own;
    CPU_ZERO(&own);
    CPU_SET(processor, &own);
    // Where it is refused, all processors are as well.
    sched_setaffinity(0, sizeof own, &own);
    return;
  }
}

void cprocess_keep_addresses(void) {
  int now = personality(0xffffffff);
  if (now != -1) personality((unsigned long)now | ADDR_NO_RANDOMIZE);
}

int cprocess_dump_signal(void) { return SIGUSR2; }

static void put(const char *text) {
  size_t rest = strlen(text);
  while (rest > 0) {
    ssize_t written = write(dump_descriptor, text, rest);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return;
    text += written;
    rest -= (size_t)written;
  }
}

/// Appends the content of a file of /proc, without its line end.
static void put_file(const char *task, const char *name) {
  char path[PATH_MAX];
  if (strlen(task) + strlen(name) + sizeof "/proc/self/task//" > sizeof path) return;
  strcpy(path, "/proc/self/task/");
  strcat(path, task);
  strcat(path, "/");
  strcat(path, name);
  int file = open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0) return;
  char text[256];
  ssize_t length = read(file, text, sizeof text - 1);
  close(file);
  if (length <= 0) return;
  text[length] = 0;
  char *end = strchr(text, '\n');
  if (end) *end = 0;
  put(text);
}

static void put_stack(void) {
  void *frames[FRAMES_MAX];
  backtrace_symbols_fd(frames, backtrace(frames, FRAMES_MAX), dump_descriptor);
}

static void on_thread_signal(int signal) {
  (void)signal;
  put_stack();
  atomic_store(&thread_is_written, 1);
}

static void put_thread(const char *task) {
  put("thread ");
  put(task);
  put(" \"");
  put_file(task, "comm");
  put("\" waits in ");
  put_file(task, "wchan");
  put(", system call ");
  put_file(task, "syscall");
  put("\n");
  pid_t thread = (pid_t)atoi(task);
  if (thread == gettid()) {
    put_stack();
  } else {
    atomic_store(&thread_is_written, 0);
    if (tgkill(getpid(), thread, thread_signal) == 0) {
      const struct timespec millisecond = {.tv_nsec = 1000000};
      for (int i = 0; i < THREAD_WAIT_MS_MAX && !atomic_load(&thread_is_written); i++) nanosleep(&millisecond, NULL);
    }
    if (!atomic_load(&thread_is_written)) put("  (does not answer)\n");
  }
  put("\n");
}

/// Waits for the children, which the same signal has reached: they would die with this process before they are done.
static void wait_for_children(void) {
  const struct timespec millisecond = {.tv_nsec = 1000000};
  for (int i = 0; i < CHILD_WAIT_MS_MAX; i++) {
    siginfo_t child;
    if (waitid(P_ALL, 0, &child, WEXITED | WNOHANG) != 0 && errno == ECHILD) return;
    nanosleep(&millisecond, NULL);
  }
}

static void on_dump_signal(int signal) {
  (void)signal;
  dump_descriptor = open(dump_path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
  int tasks = open("/proc/self/task", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (dump_descriptor >= 0 && tasks >= 0) {
    // getdents64 and not readdir, which allocates.
    _Alignas(struct dirent64) char entries[4096];
    ssize_t length;
    while ((length = getdents64(tasks, entries, sizeof entries)) > 0) {
      for (ssize_t position = 0; position < length;) {
        struct dirent64 *entry = (struct dirent64 *)(entries + position);
        if (entry->d_name[0] != '.') put_thread(entry->d_name);
        position += entry->d_reclen;
      }
    }
  }
  wait_for_children();
  raise(SIGKILL);
}

static int install(int signal, void (*handler)(int), int flags) {
  struct sigaction action = {.sa_handler = handler, .sa_flags = flags};
  sigemptyset(&action.sa_mask);
  return sigaction(signal, &action, NULL) == 0 ? 0 : errno;
}

int cprocess_install_stack_dump(const char *path) {
  if (strlen(path) >= sizeof dump_path) return ENAMETOOLONG;
  strcpy(dump_path, path);
  // The first backtrace loads the unwinder, which a signal handler must not do.
  void *frame;
  backtrace(&frame, 1);
  int error = install(thread_signal, on_thread_signal, SA_RESTART);
  return error ? error : install(SIGUSR2, on_dump_signal, SA_RESTART);
}

static void on_forwarded_signal(int signal) {
  int saved = errno;
  unsigned char byte = (unsigned char)signal;
  ssize_t written = write(atomic_load(&forward_descriptor), &byte, 1);
  (void)written;
  errno = saved;
}

int cprocess_forward_signal_once(int signal, int descriptor) {
  atomic_store(&forward_descriptor, descriptor);
  int error = install(signal, on_forwarded_signal, SA_RESTART | SA_RESETHAND);
  if (error) return error;
  // The starter of this process may have blocked it: a thread of Dispatch has.
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, signal);
  return pthread_sigmask(SIG_UNBLOCK, &set, NULL);
}

#include "interception.h"

#include <signal.h>

// A crash handler asks the system for locks, files and processes. A task that crashed asks as any other thread: as a step of
// the simulation the handler's wait would never end.

static const int faults[] = {SIGQUIT, SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGSEGV, SIGTRAP};
static struct sigaction handlers[NSIG];

static void leave_simulation(int number, siginfo_t *info, void *context) {
  contextbench_intercepted = 0;
  sigaction(number, &handlers[number], NULL);
  if ((handlers[number].sa_flags & SA_SIGINFO) != 0) handlers[number].sa_sigaction(number, info, context);
  else handlers[number].sa_handler(number);
}

void contextbench_watch_faults(void) {
  for (size_t place = 0; place < sizeof faults / sizeof faults[0]; place += 1) {
    struct sigaction action;
    sigaction(faults[place], NULL, &action);
    if (action.sa_handler == SIG_DFL || action.sa_handler == SIG_IGN) continue;
    handlers[faults[place]] = action;
    action.sa_sigaction = leave_simulation;
    action.sa_flags |= SA_SIGINFO;
    sigaction(faults[place], &action, NULL);
  }
}

uintptr_t contextbench_place(uintptr_t address) {
  Dl_info own;
  Dl_info found;
  if (dladdr((const void *)contextbench_watch_faults, &own) == 0) return 0;
  if (dladdr((const void *)address, &found) == 0 || found.dli_fbase != own.dli_fbase) return 0;
  return address - (uintptr_t)own.dli_fbase;
}

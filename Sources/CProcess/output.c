#include "CProcess.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int status_of_failure;

static void check_output(void) {
  int is_failing = fflush(stdout) != 0;
  int error = errno;
  if (!is_failing && !ferror(stdout)) return;
  // A failure before has left no reason: the next byte has the same one.
  if (!is_failing) error = write(STDOUT_FILENO, "\n", 1) < 0 ? errno : EIO;
  if (error == EPIPE) _exit(128 + SIGPIPE);
  dprintf(STDERR_FILENO, "standard output: cannot be written: %s. Name a file, or make room\n", strerror(error));
  _exit(status_of_failure);
}

static void pass_over(int signal) { (void)signal; }

static void outlive(int signal) {
  // A handler, since children would inherit that the signal is ignored.
  struct sigaction action = {.sa_handler = pass_over, .sa_flags = SA_RESTART};
  sigaction(signal, &action, NULL);
}

void cprocess_watch_output(int status) {
  for (int stream = STDIN_FILENO; stream <= STDERR_FILENO; stream++) {
    if (fcntl(stream, F_GETFD) >= 0 || errno != EBADF) continue;
    // The lowest free number is this one. A read-only descriptor refuses writes, as a closed one does.
    open("/dev/null", stream == STDERR_FILENO ? O_WRONLY : O_RDONLY);
  }
  status_of_failure = status;
  atexit(check_output);
  outlive(SIGXFSZ);
}

void cprocess_outlive_pipe(void) { outlive(SIGPIPE); }

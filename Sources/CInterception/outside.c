// Calls that reach beyond the simulation: other processes, and the other end of a socket.
#include "interception.h"

/// Foundation connects to a socket of its own, to wake up the thread that looks at sockets and at child processes.
#define asker()                                                                                                        \
  (contextbench_is_in(contextbench_foundation, __builtin_return_address(0)) ? "connect, by Foundation: a child process or a socket" \
                                                                            : "connect, to a socket")

#include <netdb.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/types.h>
#include <unistd.h>

typedef int (*spawning)(
  pid_t *, const char *, const posix_spawn_file_actions_t *, const posix_spawnattr_t *, char *const[], char *const[]);
typedef pid_t (*forking)(void);
typedef int (*connecting)(int, const struct sockaddr *, socklen_t);
typedef int (*accepting)(int, struct sockaddr *, socklen_t *);
typedef int (*looking_up)(const char *, const char *, const struct addrinfo *, struct addrinfo **);
REAL(spawning, posix_spawn)
REAL(spawning, posix_spawnp)
REAL(forking, fork)
REAL(connecting, connect)
REAL(accepting, accept)
REAL(looking_up, getaddrinfo)

int posix_spawn(
  pid_t *id, const char *path, const posix_spawn_file_actions_t *actions, const posix_spawnattr_t *attributes,
  char *const arguments[], char *const environment[]
) {
  if (is_simulated()) simulation->refuse("posix_spawn, of another process");
  return real_posix_spawn()(id, path, actions, attributes, arguments, environment);
}

int posix_spawnp(
  pid_t *id, const char *file, const posix_spawn_file_actions_t *actions, const posix_spawnattr_t *attributes,
  char *const arguments[], char *const environment[]
) {
  if (is_simulated()) simulation->refuse("posix_spawnp, of another process");
  return real_posix_spawnp()(id, file, actions, attributes, arguments, environment);
}

pid_t fork(void) {
  if (is_simulated()) simulation->refuse("fork, of another process");
  return real_fork()();
}

int connect(int socket, const struct sockaddr *address, socklen_t length) {
  // Look-ups of users and hosts connect to a socket of the machine itself.
  if (is_simulated() && address->sa_family != AF_UNIX) simulation->refuse(asker());
  return real_connect()(socket, address, length);
}

int accept(int socket, struct sockaddr *restrict address, socklen_t *restrict length) {
  if (is_simulated()) simulation->refuse("accept, of a socket");
  return real_accept()(socket, address, length);
}

int getaddrinfo(
  const char *restrict node, const char *restrict service, const struct addrinfo *restrict hints,
  struct addrinfo **restrict result
) {
  if (is_simulated()) simulation->refuse("getaddrinfo, of the network");
  return real_getaddrinfo()(node, service, hints, result);
}

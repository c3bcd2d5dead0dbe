#include "interception.h"

// A function that jumps to one of a library's, for its replacement in the executable: arguments are where Swift's callers put
// them.
#if defined(__x86_64__)
#define JUMP(name)                                                                                                     \
  ".globl " #name "\n.type " #name ",@function\n" #name ":\n"                                                          \
  "  jmp *" #name "_of_library(%rip)\n"
#elif defined(__aarch64__)
#define JUMP(name)                                                                                                     \
  ".globl " #name "\n.type " #name ",%function\n" #name ":\n"                                                          \
  "  adrp x16, " #name "_of_library\n  ldr x16, [x16, :lo12:" #name "_of_library]\n  br x16\n"
#endif
#define OF_LIBRARY(name, symbol)                                                                                       \
  void *name##_of_library;                                                                                             \
  __attribute__((constructor)) static void find_##name(void) { name##_of_library = contextbench_real(symbol); }        \
  __asm__(JUMP(name))

// Swift Testing's, which gets each test.
OF_LIBRARY(contextbench_store_test, "$s7Testing4TestV7__store_4into8asTypeAtSbACyYaYbc_SvSVtFZ");

// Foundation's, which gets each observer with a block.
OF_LIBRARY(
  contextbench_add_observer,
  "$s20FoundationEssentials18NotificationCenterC0A0E11addObserver7forName6object5queue5usingAD16NSObjectProtocol_p"
  "AD14NSNotificationC0H0VSg_ypSgAD14OperationQueueCSgyAD0C0VYbctF");

#include "interception.h"

// Swift Testing's own function, for who takes its place in the executable.
void *contextbench_testing_store;

__attribute__((constructor)) static void find(void) {
  contextbench_testing_store = contextbench_real("$s7Testing4TestV7__store_4into8asTypeAtSbACyYaYbc_SvSVtFZ");
}

// A jump: arguments lie where Swift's callers put them.
#if defined(__x86_64__)
__asm__(
  ".globl contextbench_store_test\n.type contextbench_store_test,@function\ncontextbench_store_test:\n"
  "  jmp *contextbench_testing_store(%rip)\n");
#elif defined(__aarch64__)
__asm__(
  ".globl contextbench_store_test\n.type contextbench_store_test,%function\ncontextbench_store_test:\n"
  "  adrp x16, contextbench_testing_store\n  ldr x16, [x16, :lo12:contextbench_testing_store]\n  br x16\n");
#endif

#include "CProcess.h"

#include <stdint.h>

// Requests to Valgrind are instructions that do nothing outside it. The sequences, the registers and the numbers are its
// stable interface: "The Client Request mechanism" and "Callgrind specific client requests" of its manual. They are
// written out here so that an executable counts wherever it was built, with Valgrind's headers there or not.
enum {
  callgrind = 'C' << 24 | 'T' << 16,
  start_instrumentation = callgrind + 4,
  stop_instrumentation = callgrind + 5,
};

static void request(uint64_t number) {
  volatile uint64_t words[6] = {number, 0, 0, 0, 0, 0};
#if defined(__x86_64__)
  uint64_t result = 0;
  __asm__ volatile(
      "rolq $3, %%rdi; rolq $13, %%rdi; rolq $61, %%rdi; rolq $51, %%rdi\n\t"
      "xchgq %%rbx, %%rbx"
      : "+d"(result)
      : "a"(&words[0])
      : "cc", "memory");
#elif defined(__aarch64__)
  __asm__ volatile(
      "mov x3, #0\n\t"
      "mov x4, %0\n\t"
      "ror x12, x12, #3; ror x12, x12, #13; ror x12, x12, #51; ror x12, x12, #61\n\t"
      "orr x10, x10, x10"
      :
      : "r"(&words[0])
      : "cc", "memory", "x3", "x4");
#else
#error "Valgrind's requests of this architecture are not written yet"
#endif
}

void cprocess_work(long steps) {
  for (long step = 0; step < steps; step++) __asm__ volatile("");
}

void cprocess_count_instructions(int begins) { request(begins ? start_instrumentation : stop_instrumentation); }

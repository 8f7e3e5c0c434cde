#define _GNU_SOURCE
#include "bell.h"

#if defined(__linux__)
#include <limits.h>
#include <linux/futex.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

uint32_t tideline_bell_begin(tideline_bell *bell) {
  __atomic_fetch_add(&bell->sleepers, 1, __ATOMIC_RELAXED);
  return __atomic_load_n(&bell->rings, __ATOMIC_RELAXED);
}

void tideline_bell_sleep(tideline_bell *bell, uint32_t rings, int64_t deadline) {
  const int64_t second = 1000000000;
  struct timespec moment = {.tv_sec = deadline / second, .tv_nsec = deadline % second};
  syscall(
    SYS_futex, &bell->rings, FUTEX_WAIT_BITSET_PRIVATE, rings, deadline < 0 ? NULL : &moment, NULL,
    FUTEX_BITSET_MATCH_ANY);
}

void tideline_bell_end(tideline_bell *bell) {
  __atomic_fetch_sub(&bell->sleepers, 1, __ATOMIC_RELAXED);
}

void tideline_bell_ring(tideline_bell *bell) {
  __atomic_fetch_add(&bell->rings, 1, __ATOMIC_SEQ_CST);
  if (__atomic_load_n(&bell->sleepers, __ATOMIC_SEQ_CST) == 0) return;
  syscall(SYS_futex, &bell->rings, FUTEX_WAKE_PRIVATE, INT_MAX);
}
#endif

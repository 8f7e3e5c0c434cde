#ifndef TIDELINE_RELAX_H
#define TIDELINE_RELAX_H

/* Tells the processor that a loop only waits for another thread's store, so that it leaves its
 * resources to others meanwhile. */
static inline void tideline_relax(void) {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#elif defined(__aarch64__) || defined(__arm__)
  __asm__ volatile("yield");
#endif
}

#endif

#ifndef TIDELINE_BELL_H
#define TIDELINE_BELL_H

#include <stdint.h>

#if defined(__linux__)
/* A bell that wakes sleeping threads. Each thread holds a lock before it sleeps, and takes the lock
 * again afterwards. All fields are zero while no thread sleeps and the bell was never rung. */
typedef struct {
  uint32_t rings;
  uint32_t sleepers;
} tideline_bell;

/* Called with the lock held, just before it is released; returns `rings` for the sleep. */
uint32_t tideline_bell_begin(tideline_bell *bell);

/* Sleeps until the bell is rung, unless it was rung since the matching begin, or until `deadline`
 * on the monotonic clock, in nanoseconds, if that is not negative. It may wake up spuriously. */
void tideline_bell_sleep(tideline_bell *bell, uint32_t rings, int64_t deadline);

/* Called once the thread holds the lock again. */
void tideline_bell_end(tideline_bell *bell);

/* Wakes all sleepers. What they wait for was changed under the lock, after they released it. */
void tideline_bell_ring(tideline_bell *bell);
#endif

#endif

#ifndef TIDELINE_BELL_H
#define TIDELINE_BELL_H

#include <stdint.h>

#if defined(__linux__)
/* What threads sleep at until it is rung, each beside a lock that it had before and takes again
 * behind it. All zero where nobody sleeps and it was never rung. */
typedef struct {
  uint32_t rings;
  uint32_t sleepers;
} tideline_bell;

/* For who has the lock and is about to give it back and sleep; returns what to sleep with. */
uint32_t tideline_bell_begin(tideline_bell *bell);

/* Sleeps until the bell is rung, unless it was since it was begun, or until a moment of the
 * monotonic clock in nanoseconds, where that is not negative. It may wake up for nothing. */
void tideline_bell_sleep(tideline_bell *bell, uint32_t rings, int64_t deadline);

/* For who has the lock again. */
void tideline_bell_end(tideline_bell *bell);

/* Wakes all who sleep. What they are to see was done by who had the lock behind them. */
void tideline_bell_ring(tideline_bell *bell);
#endif

#endif

#ifndef TIDELINE_ALLOCATIONS_H
#define TIDELINE_ALLOCATIONS_H

#include <stdint.h>

/* Returns the number of blocks this process has requested from its heap since it started, on all
 * threads; -1 where they are not counted: outside glibc, and under a sanitizer with its own
 * heap. */
int64_t tideline_allocation_count(void);

#endif

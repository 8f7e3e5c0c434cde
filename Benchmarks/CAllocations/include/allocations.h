#ifndef TIDELINE_ALLOCATIONS_H
#define TIDELINE_ALLOCATIONS_H

#include <stdint.h>

/* How many blocks this process has asked its heap for since it began, on every thread;
 * -1 where they are not counted: outside glibc, and under a sanitizer with a heap of its own. */
int64_t tideline_allocation_count(void);

#endif

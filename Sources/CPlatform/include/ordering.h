#ifndef TIDELINE_ORDERING_H
#define TIDELINE_ORDERING_H

#include <stdint.h>

/* Tell the thread sanitizer about an order it can't see because Swift's runtime is not built with
 * it: everything before the release of a key happens before everything after its acquisition.
 * Without the sanitizer, both do nothing. */
void tideline_acquire(uintptr_t key);
void tideline_release(uintptr_t key);

#endif

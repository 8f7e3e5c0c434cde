#ifndef TIDELINE_ORDERING_H
#define TIDELINE_ORDERING_H

#include <stdint.h>

/* Tell the thread sanitizer of an order that it can't see, as Swift's runtime is not built with it:
 * what came before the release of a key comes before what follows its acquisition. They do nothing
 * without the sanitizer. */
void tideline_acquire(uintptr_t key);
void tideline_release(uintptr_t key);

#endif

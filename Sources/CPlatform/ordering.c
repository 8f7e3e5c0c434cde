#include "ordering.h"

#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define SANITIZES_THREADS 1
#endif
#endif

#if defined(SANITIZES_THREADS)
void __tsan_acquire(void *address);
void __tsan_release(void *address);

void tideline_acquire(uintptr_t key) { __tsan_acquire((void *)key); }
void tideline_release(uintptr_t key) { __tsan_release((void *)key); }
#else
void tideline_acquire(uintptr_t key) { (void)key; }
void tideline_release(uintptr_t key) { (void)key; }
#endif

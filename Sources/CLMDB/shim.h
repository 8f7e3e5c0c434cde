/* The only file that names liblmdb's header. */
#include <lmdb.h>

/* The one place that says where liblmdb comes from. */
#include <lmdb.h>

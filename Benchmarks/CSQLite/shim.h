/* The only file that names SQLite's header. */
#include <sqlite3.h>

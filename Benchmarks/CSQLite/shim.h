/* The one place that says where SQLite comes from. */
#include <sqlite3.h>

#pragma once

#include <sys/types.h>

/* In place of a descriptor: this process's own file, or the empty one that accepts everything. */
#define TIDELINE_OWN_FILE (-1)
#define TIDELINE_NO_FILE (-2)

/*
 * Starts the program whose path is the first argument; stores its process id in `number`, and
 * returns 0 or an error of the system.
 *
 * The program has only the three given files open, the default action for every signal, and a
 * process group of its own. It runs in `folder` if that is not NULL. Both lists end with NULL.
 */
int tideline_begin(
  pid_t *number, char *const arguments[], char *const environment[], const char *folder,
  const int files[3]);

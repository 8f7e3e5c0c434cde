#pragma once

#include <sys/types.h>

/* Instead of a descriptor: this process's own file, and one that is empty and takes everything. */
#define TIDELINE_OWN_FILE (-1)
#define TIDELINE_NO_FILE (-2)

/*
 * Begins a program, of which the first argument is the path; puts its number into `number`, and
 * returns 0 or an error of the system.
 *
 * It has no open files but the three that are said, every signal does what it does by itself, and
 * it is in a group of its own; in `folder` where that is not NULL. Both lists end with NULL.
 */
int tideline_begin(
  pid_t *number, char *const arguments[], char *const environment[], const char *folder,
  const int files[3]);

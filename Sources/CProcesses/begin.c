#define _GNU_SOURCE
#include "begin.h"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>

#if defined(__APPLE__)
#define CLOSING POSIX_SPAWN_CLOEXEC_DEFAULT
#else
#define CLOSING 0
#endif

static int give_files(posix_spawn_file_actions_t *actions, const int files[3]) {
  int error = 0;
  for (int place = 0; place < 3 && !error; place++) {
    if (files[place] == TIDELINE_NO_FILE) {
      error = posix_spawn_file_actions_addopen(actions, place, "/dev/null", O_RDWR, 0);
    } else if (files[place] != TIDELINE_OWN_FILE) {
      error = posix_spawn_file_actions_adddup2(actions, files[place], place);
    } else {
#if defined(__APPLE__)
      error = posix_spawn_file_actions_addinherit_np(actions, place);
#endif
    }
  }
#if defined(__GLIBC__)
  if (!error) error = posix_spawn_file_actions_addclosefrom_np(actions, 3);
#endif
  return error;
}

static int clear_signals(posix_spawnattr_t *attributes) {
  sigset_t none, all;
  sigemptyset(&none);
  sigfillset(&all);
  sigdelset(&all, SIGKILL);
  sigdelset(&all, SIGSTOP);
  int error = posix_spawnattr_setsigmask(attributes, &none);
  if (!error) error = posix_spawnattr_setsigdefault(attributes, &all);
  if (!error) error = posix_spawnattr_setpgroup(attributes, 0);
  if (error) return error;
  return posix_spawnattr_setflags(
    attributes,
    POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP | CLOSING);
}

int tideline_begin(
  pid_t *number, char *const arguments[], char *const environment[], const char *folder,
  const int files[3]) {
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  int error = posix_spawn_file_actions_init(&actions);
  if (error) return error;
  error = posix_spawnattr_init(&attributes);
  if (!error) {
    error = give_files(&actions, files);
    if (!error && folder) error = posix_spawn_file_actions_addchdir_np(&actions, folder);
    if (!error) error = clear_signals(&attributes);
    if (!error) {
      error = posix_spawn(number, arguments[0], &actions, &attributes, arguments, environment);
    }
    posix_spawnattr_destroy(&attributes);
  }
  posix_spawn_file_actions_destroy(&actions);
  return error;
}

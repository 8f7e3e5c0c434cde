/*
 * Records, in one order, everything a process does to the files below one folder.
 *
 * Preloaded into a workload (LD_PRELOAD), it replaces the C library's calls that change or flush
 * files, makes each system call itself, and appends each successful one to a trace. Call and
 * record happen under one lock, so the trace has the order in which the kernel saw the calls.
 *
 *   TIDELINE_RECORD_ROOT   the folder whose files are recorded; it must exist
 *   TIDELINE_RECORD_TRACE  the trace, appended to
 *   TIDELINE_RECORD_ACKS   a file elsewhere; each write to it becomes an acknowledgement
 *
 * A record is a `struct header`, the name, the data; integers are in the machine's order.
 * Not recorded: lock.mdb, which LMDB recreates; sync_file_range, which promises nothing; and
 * stores into shared mappings, stdio and sendfile, which bypass the recorder. The reader of the
 * trace compares its result with the folder, and so notices changes that bypassed the recorder.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

enum kind {
  ROOT, CREATE, MAKE_FOLDER, WRITE, DURABLE_WRITE, RESIZE, RENAME, LINK, REMOVE, FLUSH, FLUSH_ALL,
  ACKNOWLEDGE
};

struct header {
  uint32_t kind, name_length;
  uint64_t node, offset, data_length;
};

/* What a descriptor refers to. */
struct opened {
  enum { ELSEWHERE, INSIDE, ACKNOWLEDGEMENTS } place;
  bool durable;
  uint64_t node;
};

enum { DESCRIPTORS_MAX = 4096 };

/* Another name of the C library for the same call; offsets have 64 bits in both. */
#define SAME(type, name, original, arguments) \
  type name arguments __attribute__((alias(#original)));
_Static_assert(sizeof(off_t) == sizeof(off64_t), "the recorder is for 64-bit systems");

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct opened table[DESCRIPTORS_MAX];
static char root[PATH_MAX], acknowledgements[PATH_MAX];
static size_t root_length;
static int trace = -1;

static void fail(const char *what)
{
  fprintf(stderr, "recorder: %s: %s\n", what, strerror(errno));
  abort();
}

/* MARK: Names */

static bool path_of(int descriptor, char *path)
{
  char link[64];
  snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
  ssize_t count = readlink(link, path, PATH_MAX - 1);
  path[count < 0 ? 0 : count] = 0;
  return count > 0;
}

/* Fills `whole` with the resolved path of an argument, whether or not the file exists. */
static bool resolve(int folder, const char *path, char *whole)
{
  char joined[2 * PATH_MAX], start[PATH_MAX] = "", parent[PATH_MAX];
  if (path[0] != '/' && folder == AT_FDCWD && !getcwd(start, sizeof start)) return false;
  if (path[0] != '/' && folder != AT_FDCWD && !path_of(folder, start)) return false;
  snprintf(joined, sizeof joined, "%s/%s", start, path);
  for (size_t end = strlen(joined); end > 1 && joined[end - 1] == '/';) joined[--end] = 0;
  char *last = strrchr(joined, '/');
  *last = 0;
  if (!realpath(last == joined ? "/" : joined, parent)) return false;
  return snprintf(whole, PATH_MAX, "%s/%s", parent, last + 1) < PATH_MAX;
}

static bool ignored(const char *path)
{
  const char *last = strrchr(path, '/');
  return last && strcmp(last + 1, "lock.mdb") == 0;
}

/* Returns the part of a resolved path after the root, or NULL if the path is not recorded. */
static const char *below(const char *path)
{
  if (strncmp(path, root, root_length) != 0 || ignored(path)) return NULL;
  if (path[root_length] == 0) return path + root_length;
  return path[root_length] == '/' ? path + root_length + 1 : NULL;
}

/* MARK: The trace */

static void put(const void *bytes, size_t count)
{
  for (const char *next = bytes; count > 0;) {
    ssize_t done = syscall(SYS_write, trace, next, count);
    if (done < 0 && errno != EINTR) fail("trace");
    if (done > 0) next += done, count -= (size_t)done;
  }
}

static void record_vector(
  enum kind kind, uint64_t node, uint64_t offset, const char *name, const struct iovec *parts,
  size_t count)
{
  struct header header = { kind, name ? (uint32_t)strlen(name) : 0, node, offset, count };
  put(&header, sizeof header);
  if (name) put(name, header.name_length);
  for (; count > 0; parts++) {
    size_t part = parts->iov_len < count ? parts->iov_len : count;
    put(parts->iov_base, part);
    count -= part;
  }
}

static void record(enum kind kind, uint64_t node, uint64_t offset, const char *name)
{
  record_vector(kind, node, offset, name, NULL, 0);
}

/* Records a call with two names. A call across the root's border is left to the final
 * comparison. */
static void record_pair(
  enum kind kind, int folder, const char *from, int other, const char *to)
{
  char old[PATH_MAX], new[PATH_MAX];
  if (!resolve(folder, from, old) || !resolve(other, to, new)) return;
  if (!below(old) || !below(new)) return;
  struct iovec second = { (void *)below(new), strlen(below(new)) };
  record_vector(kind, 0, 0, below(old), &second, second.iov_len);
}

static void prepare(void)
{
  const char *root_name = getenv("TIDELINE_RECORD_ROOT");
  const char *trace_name = getenv("TIDELINE_RECORD_TRACE");
  const char *acknowledgements_name = getenv("TIDELINE_RECORD_ACKS");
  struct stat status;
  if (!root_name || !trace_name || !acknowledgements_name) fail("environment");
  if (!realpath(root_name, root) || stat(root, &status) != 0) fail("root");
  if (!resolve(AT_FDCWD, acknowledgements_name, acknowledgements)) fail("acknowledgements");
  trace = (int)syscall(
    SYS_openat, AT_FDCWD, trace_name, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  if (trace < 0) fail(trace_name);
  root_length = strlen(root);
  syscall(SYS_flock, trace, LOCK_EX);
  record(ROOT, status.st_ino, 0, NULL);
}

/* Takes the lock, and locks out other processes that record into the same trace. */
static void enter(void)
{
  pthread_mutex_lock(&lock);
  if (trace < 0) prepare();
  else syscall(SYS_flock, trace, LOCK_EX);
}

static void leave(void)
{
  int error = errno;
  syscall(SYS_flock, trace, LOCK_UN);
  pthread_mutex_unlock(&lock);
  errno = error;
}

/* MARK: Descriptors */

static struct opened *entry(int descriptor)
{
  static struct opened elsewhere;
  return descriptor >= 0 && descriptor < DESCRIPTORS_MAX ? &table[descriptor] : &elsewhere;
}

static void track(int descriptor, int flags, bool created)
{
  char path[PATH_MAX];
  struct stat status;
  if (descriptor >= DESCRIPTORS_MAX) errno = EMFILE, fail("descriptor");
  struct opened *opened = entry(descriptor);
  *opened = (struct opened){ 0 };
  if (!path_of(descriptor, path) || fstat(descriptor, &status) != 0) return;
  if (strcmp(path, acknowledgements) == 0) opened->place = ACKNOWLEDGEMENTS;
  if (!below(path)) return;
  *opened = (struct opened){ INSIDE, (flags & O_DSYNC) != 0, status.st_ino };
  if (created) record(CREATE, status.st_ino, 0, below(path));
  else if (flags & O_TRUNC) record(RESIZE, status.st_ino, 0, NULL);
}

static int open_recording(int folder, const char *path, int flags, mode_t mode)
{
  enter();
  bool created = (flags & O_CREAT) && syscall(SYS_faccessat, folder, path, F_OK) != 0;
  int descriptor = (int)syscall(SYS_openat, folder, path, flags, mode);
  if (descriptor >= 0) track(descriptor, flags, created);
  leave();
  return descriptor;
}

static int duplicated(int from, int to)
{
  if (to >= DESCRIPTORS_MAX) errno = EMFILE, fail("descriptor");
  if (to >= 0) *entry(to) = *entry(from);
  return to;
}

/* The callers without a mode pass none, and then none is read. */
static mode_t mode_of(int flags, va_list rest)
{
  return (flags & (O_CREAT | __O_TMPFILE)) ? va_arg(rest, mode_t) : 0;
}

int open(const char *path, int flags, ...)
{
  va_list rest;
  va_start(rest, flags);
  int result = open_recording(AT_FDCWD, path, flags, mode_of(flags, rest));
  va_end(rest);
  return result;
}

int openat(int folder, const char *path, int flags, ...)
{
  va_list rest;
  va_start(rest, flags);
  int result = open_recording(folder, path, flags, mode_of(flags, rest));
  va_end(rest);
  return result;
}

SAME(int, open64, open, (const char *, int, ...))
SAME(int, openat64, openat, (int, const char *, int, ...))
/* The calls of fortified code without a mode argument. */
int __open_2(const char *path, int flags) { return open(path, flags, 0); }
int __open64_2(const char *path, int flags) { return open(path, flags, 0); }
int __openat_2(int folder, const char *path, int flags) { return openat(folder, path, flags, 0); }
int __openat64_2(int folder, const char *path, int flags) { return openat(folder, path, flags, 0); }

int creat(const char *path, mode_t mode)
{
  return open_recording(AT_FDCWD, path, O_WRONLY | O_CREAT | O_TRUNC, mode);
}

SAME(int, creat64, creat, (const char *, mode_t))

int close(int descriptor)
{
  enter();
  *entry(descriptor) = (struct opened){ 0 };
  int result = (int)syscall(SYS_close, descriptor);
  leave();
  return result;
}

int dup(int descriptor)
{
  enter();
  int result = duplicated(descriptor, (int)syscall(SYS_dup, descriptor));
  leave();
  return result;
}

int dup3(int from, int to, int flags)
{
  enter();
  int result = duplicated(from, (int)syscall(SYS_dup3, from, to, flags));
  leave();
  return result;
}

int dup2(int from, int to)
{
  if (from == to) return (int)syscall(SYS_fcntl, from, F_GETFD) < 0 ? -1 : to;
  return dup3(from, to, 0);
}

/* Waiting for a file's lock must not happen under the recorder's own lock. */
int fcntl(int descriptor, int command, ...)
{
  va_list rest;
  va_start(rest, command);
  long argument = va_arg(rest, long);
  va_end(rest);
  if (command != F_DUPFD && command != F_DUPFD_CLOEXEC)
    return (int)syscall(SYS_fcntl, descriptor, command, argument);
  enter();
  int result = duplicated(descriptor, (int)syscall(SYS_fcntl, descriptor, command, argument));
  leave();
  return result;
}

SAME(int, fcntl64, fcntl, (int, int, ...))

/* MARK: Contents */

/* `offset` is -1 for a write at the descriptor's position. */
static ssize_t write_recording(int descriptor, const struct iovec *parts, int count, off_t offset)
{
  enter();
  struct opened *opened = entry(descriptor);
  ssize_t done = offset < 0
    ? syscall(SYS_writev, descriptor, parts, count)
    : syscall(SYS_pwritev, descriptor, parts, count, (long)offset, 0L);
  if (done > 0 && opened->place == ACKNOWLEDGEMENTS)
    record_vector(ACKNOWLEDGE, 0, 0, NULL, parts, (size_t)done);
  if (done > 0 && opened->place == INSIDE) {
    if (offset < 0) offset = syscall(SYS_lseek, descriptor, 0, SEEK_CUR) - done;
    enum kind kind = opened->durable ? DURABLE_WRITE : WRITE;
    record_vector(kind, opened->node, (uint64_t)offset, NULL, parts, (size_t)done);
  }
  leave();
  return done;
}

ssize_t write(int descriptor, const void *bytes, size_t count)
{
  struct iovec part = { (void *)bytes, count };
  return write_recording(descriptor, &part, 1, -1);
}

ssize_t writev(int descriptor, const struct iovec *parts, int count)
{
  return write_recording(descriptor, parts, count, -1);
}

static ssize_t write_at(int descriptor, const struct iovec *parts, int count, off_t offset)
{
  if (offset >= 0) return write_recording(descriptor, parts, count, offset);
  errno = EINVAL;
  return -1;
}

ssize_t pwrite(int descriptor, const void *bytes, size_t count, off_t offset)
{
  struct iovec part = { (void *)bytes, count };
  return write_at(descriptor, &part, 1, offset);
}

SAME(ssize_t, pwrite64, pwrite, (int, const void *, size_t, off64_t))

ssize_t pwritev(int descriptor, const struct iovec *parts, int count, off_t offset)
{
  return write_at(descriptor, parts, count, offset);
}

SAME(ssize_t, pwritev64, pwritev, (int, const struct iovec *, int, off64_t))

int ftruncate(int descriptor, off_t size)
{
  enter();
  int result = (int)syscall(SYS_ftruncate, descriptor, size);
  if (result == 0 && entry(descriptor)->place == INSIDE)
    record(RESIZE, entry(descriptor)->node, (uint64_t)size, NULL);
  leave();
  return result;
}

SAME(int, ftruncate64, ftruncate, (int, off64_t))

int fallocate(int descriptor, int mode, off_t offset, off_t count)
{
  struct stat before;
  enter();
  int known = fstat(descriptor, &before);
  int result = (int)syscall(SYS_fallocate, descriptor, mode, offset, count);
  bool grown = known == 0 && mode == 0 && offset + count > before.st_size;
  if (result == 0 && grown && entry(descriptor)->place == INSIDE)
    record(RESIZE, entry(descriptor)->node, (uint64_t)(offset + count), NULL);
  leave();
  return result;
}

SAME(int, fallocate64, fallocate, (int, int, off64_t, off64_t))

int posix_fallocate(int descriptor, off_t offset, off_t count)
{
  return fallocate(descriptor, 0, offset, count) == 0 ? 0 : errno;
}

SAME(int, posix_fallocate64, posix_fallocate, (int, off64_t, off64_t))

/* MARK: Flushes */

static int flush_recording(long call, int descriptor)
{
  enter();
  int result = (int)syscall(call, descriptor);
  if (result == 0 && entry(descriptor)->place == INSIDE)
    record(FLUSH, entry(descriptor)->node, 0, NULL);
  leave();
  return result;
}

int fsync(int descriptor) { return flush_recording(SYS_fsync, descriptor); }
int fdatasync(int descriptor) { return flush_recording(SYS_fdatasync, descriptor); }

void sync(void)
{
  enter();
  syscall(SYS_sync);
  record(FLUSH_ALL, 0, 0, NULL);
  leave();
}

int syncfs(int descriptor)
{
  enter();
  int result = (int)syscall(SYS_syncfs, descriptor);
  if (result == 0 && entry(descriptor)->place == INSIDE) record(FLUSH_ALL, 0, 0, NULL);
  leave();
  return result;
}

/* MARK: Folders */

int mkdirat(int folder, const char *path, mode_t mode)
{
  char whole[PATH_MAX];
  struct stat status;
  enter();
  int result = (int)syscall(SYS_mkdirat, folder, path, mode);
  bool inside = result == 0 && resolve(folder, path, whole) && below(whole);
  if (inside && stat(whole, &status) == 0) record(MAKE_FOLDER, status.st_ino, 0, below(whole));
  leave();
  return result;
}

int mkdir(const char *path, mode_t mode) { return mkdirat(AT_FDCWD, path, mode); }

int unlinkat(int folder, const char *path, int flags)
{
  char whole[PATH_MAX];
  enter();
  int result = (int)syscall(SYS_unlinkat, folder, path, flags);
  if (result == 0 && resolve(folder, path, whole) && below(whole))
    record(REMOVE, 0, 0, below(whole));
  leave();
  return result;
}

int unlink(const char *path) { return unlinkat(AT_FDCWD, path, 0); }
int rmdir(const char *path) { return unlinkat(AT_FDCWD, path, AT_REMOVEDIR); }

int remove(const char *path)
{
  int result = unlink(path);
  return result != 0 && errno == EISDIR ? rmdir(path) : result;
}

int renameat2(int folder, const char *from, int other, const char *to, unsigned flags)
{
  enter();
  int result = (int)syscall(SYS_renameat2, folder, from, other, to, flags);
  if (result == 0) record_pair(RENAME, folder, from, other, to);
  leave();
  return result;
}

int renameat(int folder, const char *from, int other, const char *to)
{
  return renameat2(folder, from, other, to, 0);
}

int rename(const char *from, const char *to) { return renameat(AT_FDCWD, from, AT_FDCWD, to); }

int linkat(int folder, const char *from, int other, const char *to, int flags)
{
  enter();
  int result = (int)syscall(SYS_linkat, folder, from, other, to, flags);
  if (result == 0) record_pair(LINK, folder, from, other, to);
  leave();
  return result;
}

int link(const char *from, const char *to) { return linkat(AT_FDCWD, from, AT_FDCWD, to, 0); }

/*
 * Commits numbered records to LMDB in its default mode and acknowledges each one.
 *
 *   run PLACE        works below PLACE/root and writes to PLACE/acknowledged
 *   verify PLACE...  prints a line for each place: `kept`, or what is wrong there
 *
 * A damaged file may abort the process or end it by a signal; the caller counts that as damage.
 */
#include <fcntl.h>
#include <lmdb.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { RECORDS = 24, PATH_LENGTH_MAX = 4096, VALUE_SIZE_MAX = 12000 };

static void check(int code, const char *what)
{
  if (code == MDB_SUCCESS) return;
  fprintf(stderr, "%s: %s\n", what, mdb_strerror(code));
  exit(1);
}

/* Returns a record's value, derived from its number: some are inline, some on separate pages. */
static MDB_val value_of(size_t number)
{
  static uint8_t bytes[VALUE_SIZE_MAX];
  size_t size = number % 5 == 0 ? 5000 + number * 100 : 20 + number * 37 % 1500;
  for (size_t i = 0; i < size; i++) bytes[i] = (uint8_t)(number * 31 + i * 7 + i / 256);
  return (MDB_val){ size, bytes };
}

static int open_environment(const char *place, unsigned flags, MDB_env **environment)
{
  char root[PATH_LENGTH_MAX];
  snprintf(root, sizeof root, "%s/root", place);
  check(mdb_env_create(environment), "create");
  check(mdb_env_set_mapsize(*environment, 16 << 20), "map size");
  return mdb_env_open(*environment, root, flags, 0600);
}

/* Replacing a key makes the engine reuse pages, which exposes a missing flush. */
static int commit(MDB_env *environment, size_t number)
{
  MDB_txn *transaction;
  MDB_dbi table;
  MDB_val key = { sizeof number, &number }, value = value_of(number);
  size_t zero = 0;
  MDB_val head = { sizeof zero, &zero }, last = { sizeof number, &number };
  int code = mdb_txn_begin(environment, NULL, 0, &transaction);
  if (code) return code;
  code = mdb_dbi_open(transaction, NULL, MDB_INTEGERKEY, &table);
  if (!code) code = mdb_put(transaction, table, &key, &value, 0);
  if (!code) code = mdb_put(transaction, table, &head, &last, 0);
  if (!code) return mdb_txn_commit(transaction);
  mdb_txn_abort(transaction);
  return code;
}

/* LMDB flushes its file, but not the folder that names it. */
static void flush_folder(const char *place)
{
  char root[PATH_LENGTH_MAX];
  snprintf(root, sizeof root, "%s/root", place);
  int folder = open(root, O_RDONLY | O_CLOEXEC);
  if (folder < 0 || fsync(folder) != 0 || close(folder) != 0) perror(root), exit(1);
}

static int run(const char *place)
{
  char path[PATH_LENGTH_MAX], line[32];
  MDB_env *environment;
  check(open_environment(place, 0, &environment), "open");
  flush_folder(place);
  snprintf(path, sizeof path, "%s/acknowledged", place);
  int acknowledged = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  if (acknowledged < 0) perror(path), exit(1);
  for (size_t number = 1; number <= RECORDS; number++) {
    check(commit(environment, number), "commit");
    int length = snprintf(line, sizeof line, "%zu\n", number);
    if (write(acknowledged, line, (size_t)length) != length) perror(path), exit(1);
  }
  mdb_env_close(environment);
  return close(acknowledged);
}

/* Returns the last acknowledged number; numbers are acknowledged in order. */
static size_t promised(const char *place)
{
  char path[PATH_LENGTH_MAX];
  size_t number = 0;
  snprintf(path, sizeof path, "%s/acknowledged", place);
  FILE *file = fopen(path, "r");
  if (!file) perror(path), exit(1);
  while (fscanf(file, "%zu", &number) == 1) {}
  fclose(file);
  return number;
}

/* Returns the number of records, or -1 if any is damaged or missing. */
static long count(MDB_env *environment)
{
  MDB_txn *transaction;
  MDB_dbi table;
  MDB_cursor *cursor;
  MDB_val key, value;
  size_t number = 0, last = 0;
  int wrong = 0;
  if (mdb_txn_begin(environment, NULL, MDB_RDONLY, &transaction) != 0) return -1;
  if (mdb_dbi_open(transaction, NULL, MDB_INTEGERKEY, &table) != 0 ||
      mdb_cursor_open(transaction, table, &cursor) != 0) {
    mdb_txn_abort(transaction);
    return 0; /* The table's kind is stored by the first commit. */
  }
  int code = mdb_cursor_get(cursor, &key, &value, MDB_FIRST);
  if (!code) {
    memcpy(&last, value.mv_data, sizeof last);
    code = mdb_cursor_get(cursor, &key, &value, MDB_NEXT);
  }
  for (; !code && !wrong; code = mdb_cursor_get(cursor, &key, &value, MDB_NEXT)) {
    MDB_val expected = value_of(++number);
    wrong = key.mv_size != sizeof number || memcmp(key.mv_data, &number, sizeof number) != 0 ||
      value.mv_size != expected.mv_size ||
      memcmp(value.mv_data, expected.mv_data, expected.mv_size) != 0;
  }
  mdb_cursor_close(cursor);
  mdb_txn_abort(transaction);
  return wrong || code != MDB_NOTFOUND || number != last ? -1 : (long)number;
}

/* Everything promised must be there, and the file must accept another record. */
static void verify(const char *place)
{
  MDB_env *environment;
  size_t expected = promised(place);
  int code = open_environment(place, MDB_NOSYNC, &environment);
  long found = code == 0 ? count(environment) : -1;
  if (code != 0 && expected == 0) printf("kept\n");
  else if (code != 0) printf("does not open: %s\n", mdb_strerror(code));
  else if (found < 0) printf("damaged\n");
  else if ((size_t)found < expected) printf("%ld of %zu records found\n", found, expected);
  else if ((code = commit(environment, (size_t)found + 1)) != 0)
    printf("takes no more: %s\n", mdb_strerror(code));
  else if (count(environment) != found + 1) printf("damaged by another record\n");
  else printf("kept\n");
  fflush(stdout);
  mdb_env_close(environment);
}

int main(int argc, char **argv)
{
  if (argc == 3 && strcmp(argv[1], "run") == 0) return run(argv[2]);
  if (argc < 3 || strcmp(argv[1], "verify") != 0) return 64;
  for (int i = 2; i < argc; i++) verify(argv[i]);
  return 0;
}

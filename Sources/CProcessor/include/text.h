#ifndef TIDELINE_TEXT_H
#define TIDELINE_TEXT_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* Sixteen bytes that are looked at together, by whichever instructions the processor has. */
typedef uint8_t tideline_block __attribute__((vector_size(16)));
typedef int8_t tideline_marks __attribute__((vector_size(16)));

/* The place of the first byte that is marked, 16 where none is. */
static inline size_t tideline_first(tideline_marks marks) {
  uint64_t words[2];
  memcpy(words, &marks, sizeof words);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
  words[0] = __builtin_bswap64(words[0]), words[1] = __builtin_bswap64(words[1]);
#endif
  if (words[0]) return (size_t)__builtin_ctzll(words[0]) / 8;
  return words[1] ? 8 + (size_t)__builtin_ctzll(words[1]) / 8 : 16;
}

/* How many bytes are before the first quote, backslash, control character or byte that is not
 * ASCII, in as many whole blocks as there are. */
static inline size_t tideline_plain_count(const void *text, size_t count) {
  size_t place = 0;
  while (place + 16 <= count) {
    tideline_block block;
    memcpy(&block, (const char *)text + place, sizeof block);
    /* What is not ASCII is below zero. */
    tideline_marks odd = (tideline_marks)block < 0x20;
    tideline_marks marks = odd | (tideline_marks)(block == '"') | (tideline_marks)(block == '\\');
    size_t run = tideline_first(marks);
    place += run;
    if (run < 16) break;
  }
  return place;
}

/* Copies the bytes before the first backslash, and returns how many these are. More may be written,
 * as far as `count` reaches. */
static inline size_t tideline_copy_plain(void *to, const void *from, size_t count) {
  size_t place = 0;
  while (place + 16 <= count) {
    tideline_block block;
    memcpy(&block, (const char *)from + place, sizeof block);
    memcpy((char *)to + place, &block, sizeof block);
    size_t run = tideline_first((tideline_marks)(block == '\\'));
    place += run;
    if (run < 16) return place;
  }
  while (place < count && ((const char *)from)[place] != '\\') {
    ((char *)to)[place] = ((const char *)from)[place];
    place++;
  }
  return place;
}

#endif

#ifndef TIDELINE_TEXT_H
#define TIDELINE_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

/* Sixteen bytes processed together, by the vector instructions of the processor. */
typedef uint8_t tideline_block __attribute__((vector_size(16)));
typedef int8_t tideline_marks __attribute__((vector_size(16)));

/* Returns a bit for each marked byte, the first byte in the lowest bit. */
static inline uint32_t tideline_bits(tideline_marks marks) {
#if defined(__SSE2__)
  return (uint32_t)_mm_movemask_epi8((__m128i)marks);
#else
  uint64_t words[2];
  memcpy(words, &marks, sizeof words);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
  words[0] = __builtin_bswap64(words[0]), words[1] = __builtin_bswap64(words[1]);
#endif
  const uint64_t ones = 0x0101010101010101, gather = 0x0102040810204080;
  const uint64_t low = (words[0] & ones) * gather >> 56, high = (words[1] & ones) * gather >> 56;
  return (uint32_t)(low | high << 8);
#endif
}

/* The character for the letter after a backslash; 0 if the escape needs more than that letter, or
 * the letter has no meaning. */
static const uint8_t tideline_escaped[256] = {
  ['"'] = '"', ['\\'] = '\\', ['/'] = '/', ['b'] = '\b',
  ['f'] = '\f', ['n'] = '\n', ['r'] = '\r', ['t'] = '\t',
};

/* Returns the number of bytes of a quoted text before the first quote, control character, non-ASCII
 * byte, or backslash that begins no one-letter escape; only whole blocks are searched. Sets
 * `is_escaped` if those bytes contain such an escape. */
static inline size_t tideline_plain_count(const void *text, size_t count, bool *is_escaped) {
  const uint8_t *bytes = text;
  size_t place = 0;
  /* Whether the first byte of the block is the letter of an escape. */
  uint32_t is_letter = 0;
  for (; place + 16 <= count; place += 16) {
    tideline_block block;
    memcpy(&block, bytes + place, sizeof block);
    uint32_t slashes = tideline_bits((tideline_marks)(block == '\\'));
    /* Non-ASCII bytes are negative. */
    tideline_marks ends = ((tideline_marks)block < 0x20) | (tideline_marks)(block == '"');
    uint32_t stops = (tideline_bits(ends) | slashes) & ~is_letter;
    is_letter = 0;
    while (stops) {
      size_t stop = (size_t)__builtin_ctz(stops);
      if (!(slashes >> stop & 1) || place + stop + 2 > count
          || !tideline_escaped[bytes[place + stop + 1]])
        return place + stop;
      *is_escaped = true;
      stops &= ~(3u << stop);
      is_letter = stop == 15;
    }
  }
  return place + is_letter;
}

/* Copies a text, replacing each one-letter escape by its character, up to a backslash that begins
 * none; returns the number of bytes read, and adds the number of bytes written to `written`. Bytes
 * after these, within `count`, may be overwritten as well. */
static inline size_t tideline_copy_plain(
    void *to, const void *from, size_t count, size_t *written) {
  const uint8_t *bytes = from;
  uint8_t *copy = to;
  size_t place = 0, end = 0;
  /* The offset in the block of the first byte not copied yet. */
  size_t start = 0;
  for (; place + 32 <= count; place += 16, start -= 16) {
    tideline_block block;
    memcpy(&block, bytes + place, sizeof block);
    uint32_t slashes = tideline_bits((tideline_marks)(block == '\\')) >> start << start;
    while (slashes) {
      size_t stop = (size_t)__builtin_ctz(slashes);
      memcpy(copy + end, bytes + place + start, 16);
      end += stop - start;
      uint8_t meant = tideline_escaped[bytes[place + stop + 1]];
      if (!meant) {
        *written += end;
        return place + stop;
      }
      copy[end++] = meant;
      start = stop + 2;
      slashes &= ~(3u << stop);
    }
    if (start >= 16) continue;
    memcpy(copy + end, bytes + place + start, 16);
    end += 16 - start, start = 16;
  }
  for (place += start; place < count; place++) {
    uint8_t byte = bytes[place];
    if (byte == '\\') {
      byte = place + 2 <= count ? tideline_escaped[bytes[place + 1]] : 0;
      if (!byte) break;
      place++;
    }
    copy[end++] = byte;
  }
  *written += end;
  return place;
}

#endif

#include "checksum.h"

#include <string.h>

static uint32_t table[256];

__attribute__((constructor)) static void fill_table(void) {
  for (uint32_t byte = 0; byte < 256; byte++) {
    uint32_t value = byte;
    for (int bit = 0; bit < 8; bit++) value = (value >> 1) ^ (value & 1 ? 0x82F63B78u : 0);
    table[byte] = value;
  }
}

uint32_t tideline_crc32c_table(uint32_t checksum, const void *bytes, size_t count) {
  const uint8_t *p = bytes;
  uint32_t crc = ~checksum;
  while (count--) crc = (crc >> 8) ^ table[(crc ^ *p++) & 0xFF];
  return ~crc;
}

#if defined(__x86_64__)
#define HARDWARE_TARGET __attribute__((target("sse4.2,pclmul")))
#define CRC8(crc, value) __builtin_ia32_crc32qi(crc, value)
#define CRC64(crc, value) (uint32_t)__builtin_ia32_crc32di(crc, value)

static int has_hardware(void) {
  return __builtin_cpu_supports("sse4.2") && __builtin_cpu_supports("pclmul");
}

#elif defined(__aarch64__)
#define HARDWARE_TARGET __attribute__((target("crc")))
#define CRC8(crc, value) __builtin_arm_crc32cb(crc, value)
#define CRC64(crc, value) __builtin_arm_crc32cd(crc, value)

#if defined(__linux__)
#include <sys/auxv.h>
static int has_hardware(void) { return (getauxval(AT_HWCAP) & (1 << 7)) != 0; }
#else
static int has_hardware(void) { return 1; }
#endif
#endif

#if defined(__x86_64__)
/* The instruction accepts one word per cycle, but takes three cycles to finish. A long run of bytes
 * is therefore cut in three, whose checksums are computed side by side and then combined: moving a
 * checksum past n bytes multiplies it by x^(8n) modulo the polynomial. A carry-less product of two
 * reflected 32-bit values is off by one power of x, and reducing it with the CRC instruction
 * multiplies by x^32; so the factor for n bytes is x^(8n-33). */
#include <wmmintrin.h>

enum { words_min = 4, words_max = 64 };

/* The factors for 8, 16, 24 … bytes. */
static uint32_t factors[2 * words_max + 1];

static uint32_t times_x(uint32_t value) { return (value >> 1) ^ (value & 1 ? 0x82F63B78u : 0); }

__attribute__((constructor)) static void fill_factors(void) {
  uint32_t value = 1; /* x^31, which is x^(8*8-33) */
  for (int words = 1; words <= 2 * words_max; words++) {
    factors[words] = value;
    for (int bit = 0; bit < 64; bit++) value = times_x(value);
  }
}

HARDWARE_TARGET static uint64_t moved(uint32_t crc, int words) {
  __m128i product =
    _mm_clmulepi64_si128(_mm_cvtsi32_si128(crc), _mm_cvtsi32_si128(factors[words]), 0);
  return (uint64_t)_mm_cvtsi128_si64(product);
}

HARDWARE_TARGET static uint64_t word_at(const uint8_t *p) {
  uint64_t word;
  memcpy(&word, p, sizeof word);
  return word;
}

/* Adds three consecutive runs of `words` words each, from `p` on, to a checksum. */
HARDWARE_TARGET static uint32_t three_runs(uint32_t crc, const uint8_t *p, int words) {
  uint32_t second = 0, third = 0;
  for (int i = 0; i < words; i++, p += 8) {
    crc = CRC64(crc, word_at(p));
    second = CRC64(second, word_at(p + 8 * words));
    third = CRC64(third, word_at(p + 16 * words));
  }
  return CRC64(0, moved(crc, 2 * words) ^ moved(second, words)) ^ third;
}
#endif

#if defined(HARDWARE_TARGET)
HARDWARE_TARGET static uint32_t hardware(uint32_t crc, const void *bytes, size_t count) {
  const uint8_t *p = bytes;
#if defined(__x86_64__)
  while (count >= 24 * words_min) {
    int words = count / 24 < words_max ? (int)(count / 24) : words_max;
    crc = three_runs(crc, p, words);
    p += 24 * words;
    count -= 24 * words;
  }
#endif
  for (; count >= 8; count -= 8, p += 8) {
    uint64_t word;
    memcpy(&word, p, 8);
    crc = CRC64(crc, word);
  }
  while (count--) crc = CRC8(crc, *p++);
  return crc;
}

HARDWARE_TARGET static uint32_t hardware_prefixed(
  uint32_t crc, uint64_t prefix, const void *bytes, size_t count) {
  return hardware(CRC64(crc, prefix), bytes, count);
}

static int is_available(void) {
  static int available = -1;
  int known = __atomic_load_n(&available, __ATOMIC_RELAXED);
  if (known < 0) {
    known = has_hardware();
    __atomic_store_n(&available, known, __ATOMIC_RELAXED);
  }
  return known;
}
#else
static uint32_t hardware(uint32_t crc, const void *bytes, size_t count) { return crc; }
static uint32_t hardware_prefixed(
  uint32_t crc, uint64_t prefix, const void *bytes, size_t count) { return crc; }
static int is_available(void) { return 0; }
#endif

uint32_t tideline_crc32c(uint32_t checksum, const void *bytes, size_t count) {
  if (!is_available()) return tideline_crc32c_table(checksum, bytes, count);
  return ~hardware(~checksum, bytes, count);
}

uint32_t tideline_crc32c_prefixed(
  uint32_t checksum, uint64_t prefix, const void *bytes, size_t count) {
  if (is_available()) return ~hardware_prefixed(~checksum, prefix, bytes, count);
  return tideline_crc32c_table(
    tideline_crc32c_table(checksum, &prefix, sizeof prefix), bytes, count);
}

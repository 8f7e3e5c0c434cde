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
#define HARDWARE_TARGET __attribute__((target("sse4.2")))
#define CRC8(crc, value) __builtin_ia32_crc32qi(crc, value)
#define CRC64(crc, value) (uint32_t)__builtin_ia32_crc32di(crc, value)

static int has_hardware(void) { return __builtin_cpu_supports("sse4.2"); }

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

#if defined(HARDWARE_TARGET)
HARDWARE_TARGET static uint32_t hardware(uint32_t crc, const void *bytes, size_t count) {
  const uint8_t *p = bytes;
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

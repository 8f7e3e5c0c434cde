#ifndef TIDELINE_CHECKSUM_H
#define TIDELINE_CHECKSUM_H

#include <stddef.h>
#include <stdint.h>

/* Returns the CRC-32C (Castagnoli) of `count` bytes at `bytes`, continuing from `checksum` (0 to
 * begin). Uses the processor's own instruction if it has one: SSE 4.2 on x86-64, CRC on arm64. */
uint32_t tideline_crc32c(uint32_t checksum, const void *bytes, size_t count);

/* The same for the eight bytes of `prefix`, as they are in memory, followed by those at `bytes`. */
uint32_t tideline_crc32c_prefixed(
  uint32_t checksum, uint64_t prefix, const void *bytes, size_t count);

/* The same computed from a table, for processors without the instruction, and to test the fast
 * one. */
uint32_t tideline_crc32c_table(uint32_t checksum, const void *bytes, size_t count);

#endif

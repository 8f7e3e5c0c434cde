import CPlatform

/// CRC-32C, by the processor's own instruction where it has one.
package enum Checksum {
  /// The checksum of `bytes`, continuing from an earlier one.
  package static func of(_ bytes: RawSpan, continuing checksum: UInt32 = 0) -> UInt32 {
    unsafe bytes.withUnsafeBytes { unsafe tideline_crc32c(checksum, $0.baseAddress, $0.count) }
  }

  /// The checksum of an integer's eight bytes in little-endian order and the bytes that follow.
  package static func of(
    _ integer: UInt64, _ bytes: RawSpan, continuing checksum: UInt32 = 0
  ) -> UInt32 {
    unsafe bytes.withUnsafeBytes {
      unsafe tideline_crc32c_prefixed(checksum, integer.littleEndian, $0.baseAddress, $0.count)
    }
  }

  /// The same from a table: the reference that the fast one is tested with.
  package static func byTable(_ bytes: RawSpan, continuing checksum: UInt32 = 0) -> UInt32 {
    unsafe bytes.withUnsafeBytes {
      unsafe tideline_crc32c_table(checksum, $0.baseAddress, $0.count)
    }
  }
}

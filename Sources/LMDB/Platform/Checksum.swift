import CPlatform

/// CRC-32C, by the processor's own instruction if it has one.
package enum Checksum {
  /// Returns the checksum of `bytes`, continuing from an earlier one.
  package static func of(_ bytes: RawSpan, continuing checksum: UInt32 = 0) -> UInt32 {
    unsafe bytes.withUnsafeBytes { unsafe tideline_crc32c(checksum, $0.baseAddress, $0.count) }
  }

  /// Returns the checksum of an integer's eight little-endian bytes and the bytes that follow.
  package static func of(
    _ integer: UInt64, _ bytes: RawSpan, continuing checksum: UInt32 = 0
  ) -> UInt32 {
    unsafe bytes.withUnsafeBytes {
      unsafe tideline_crc32c_prefixed(checksum, integer.littleEndian, $0.baseAddress, $0.count)
    }
  }

  /// Returns the same from a table: the reference for testing the fast version.
  package static func byTable(_ bytes: RawSpan, continuing checksum: UInt32 = 0) -> UInt32 {
    unsafe bytes.withUnsafeBytes {
      unsafe tideline_crc32c_table(checksum, $0.baseAddress, $0.count)
    }
  }
}

/// The bytes of a row in memory and in a change set; rows on disk are packed.
///
///     0   4  0; on disk a checksum
///     4   2  byte count of the external id
///     6   1  field count
///     7   1  flags
///     8   8  the present fields: bit n for the field numbered n + 1
///     16     a slot of eight bytes per field: the value; for a reference, the digest; for texts,
///            the offset and count of their bytes, four bytes each; 0 if absent
///            the external id and the bytes of the texts in field order, without gaps
///            eight bytes per present reference, in order: record number << 16 | field number
///
/// All integers are little-endian. Texts are UTF-8. A field of several texts holds a two-byte count
/// and the bytes of each text, in ascending order of the bytes. The places of the references come
/// last, so that comparing two rows compares everything before. Equal values have equal bytes.
public enum RowFormat {
  /// The maximum number of fields in a row.
  public static let fieldCountMax = 64
  /// The maximum number of bytes in an external id.
  public static let idBytesMax = 1024
  /// The maximum number of bytes in a row.
  public static let byteCountMax = 64 << 10
  /// The offsets of the parts.
  package enum Offset {
    package static let checksum = 0
    package static let idCount = 4
    package static let fieldCount = 6
    package static let flags = 7
    package static let presence = 8
    package static let slots = 16
  }
  /// The flags.
  package enum Flag {
    /// The row is gone; only its id is kept, so that the id refers to the same row again.
    package static let absent: UInt8 = 1
    /// The id is an alias of the row whose number is in the first slot.
    package static let alias: UInt8 = 2
  }
}

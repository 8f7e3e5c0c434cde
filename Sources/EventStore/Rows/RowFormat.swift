/// The bytes of a row in memory and in a change set; those on disk are packed.
///
///     0   4  0; on disk a checksum
///     4   2  count of the external id's bytes
///     6   1  count of the fields
///     7   1  flags
///     8   8  which fields are present: bit n for the field numbered n + 1
///     16     a slot of eight bytes for each field: the value, of a reference the digest, of texts
///            offset and count of their bytes, four bytes each; 0 where it is absent
///            the external id, and the bytes of the texts in their fields' order, with no gap
///            for each reference that is present, in order, eight bytes: record number << 16, or
///            field number
///
/// All integers are little-endian. Texts are UTF-8. A field of several texts holds, for each of
/// them in ascending order of their bytes, a count of two bytes and the text. The places of the
/// references come last, so that what two rows are compared by is all that precedes. The same
/// values have the same bytes.
public enum RowFormat {
  /// The fields that a row may have.
  public static let fieldCountMax = 64
  /// The bytes that an external id may have.
  public static let idBytesMax = 1024
  /// The bytes that a row may have.
  public static let byteCountMax = 64 << 10
  /// What stands where.
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
    /// The row is gone; only its id is kept, so that the same id finds the same row again.
    package static let absent: UInt8 = 1
    /// The id is another name of the row whose number is in the first slot.
    package static let alias: UInt8 = 2
  }
}

/// The external id of a row, compared by bytes: ids that look equal may be of different rows.
struct RowName: Hashable, Comparable {
  private let bytes: [UInt8]

  /// Creates the name for an id.
  init(_ id: String) { bytes = Array(id.utf8) }

  /// The id.
  var id: String { String(decoding: bytes, as: UTF8.self) }

  static func < (left: RowName, right: RowName) -> Bool {
    left.bytes.lexicographicallyPrecedes(right.bytes)
  }
}

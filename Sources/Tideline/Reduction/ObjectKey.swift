import EventStore

/// The key of an object, which gives the ids of its row and of its tombstone.
struct ObjectKey {
  /// The collection number, the account and the id, separated by slashes.
  private var bytes: [UInt8]
  private var (accountStart, idStart) = (0, 0)

  /// The most bytes before the id.
  private static let prefixMax = 16

  /// Creates the key of an id in an account.
  init(_ id: String, _ kind: ObjectKind, of account: UInt32) {
    self.init(kind, account, idCount: id.utf8.count, in: [])
    bytes.append(contentsOf: id.utf8)
  }

  /// Creates the key of an id in the account that a record counts for.
  init(_ id: String, _ kind: ObjectKind, _ occasion: Occasion) {
    self.init(id, kind, of: occasion.account)
  }

  /// Creates the key of an id in UTF-8, in a spare buffer.
  init(
    _ id: RawSpan, _ kind: ObjectKind, of account: UInt32, in spares: inout SpareBuffers
  ) {
    self.init(kind, account, idCount: id.byteCount, in: spares.take())
    bytes.append(payload: id)
  }

  /// Creates the key of the object whose row has an id, just for its tombstone, in a spare buffer.
  init(ofRow id: RawSpan, _ kind: ObjectKind, in spares: inout SpareBuffers) {
    bytes = spares.take()
    bytes.append(decimal: UInt32(kind.collection.number))
    bytes.append(UInt8(ascii: "/"))
    bytes.append(payload: id)
  }

  private init(_ kind: ObjectKind, _ account: UInt32, idCount: Int, in buffer: [UInt8]) {
    bytes = buffer
    bytes.reserveCapacity(Self.prefixMax + idCount)
    bytes.append(decimal: UInt32(kind.collection.number))
    bytes.append(UInt8(ascii: "/"))
    accountStart = bytes.count
    bytes.append(decimal: account)
    bytes.append(UInt8(ascii: "/"))
    idStart = bytes.count
  }

  /// The id of the object's row.
  var row: RawSpan {
    @_lifetime(borrow self) get { bytes.payloadBytes.extracting(droppingFirst: accountStart) }
  }

  /// The id of the object's tombstone.
  var stone: RawSpan {
    @_lifetime(borrow self) get { bytes.payloadBytes }
  }

  /// The object's id.
  var id: String { String(decoding: bytes[idStart...], as: UTF8.self) }

  /// Returns the key's buffer to the spare ones; the key is not to be used afterwards.
  mutating func giveBack(to spares: inout SpareBuffers) { spares.keep(&bytes) }
}

extension String {
  /// Joins a number, an account's number and an id by slashes.
  init(joining number: UInt64, _ account: UInt32, _ id: String) {
    var text: [UInt8] = []
    text.reserveCapacity(id.utf8.count + 32)
    text.append(decimal: number)
    text.append(UInt8(ascii: "/"))
    text.append(decimal: account)
    text.append(UInt8(ascii: "/"))
    text.append(contentsOf: id.utf8)
    self.init(decoding: text, as: UTF8.self)
  }
}

extension [UInt8] {
  /// Appends the digits of a number.
  mutating func append<Number: FixedWidthInteger & UnsignedInteger>(decimal number: Number) {
    var unit: Number = 1
    while number / unit >= 10 { unit *= 10 }
    while unit > 0 {
      append(UInt8(ascii: "0") + UInt8(number / unit % 10))
      unit /= 10
    }
  }
}

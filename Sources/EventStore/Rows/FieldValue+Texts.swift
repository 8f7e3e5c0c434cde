import LMDB

extension String: FieldValue {
  /// Text.
  @inlinable public static var fieldKind: FieldKind { .text }

  /// Reads the text if the bytes are UTF-8.
  public init?(stored: StoredValue) {
    guard let text = stored.bytes.text else { return nil }
    self = text
  }

  /// Calls `body` with the UTF-8 bytes.
  public func withStored(_ body: (StoredValue) -> Void) {
    withBytes { body(StoredValue(bytes: $0)) }
  }
}

extension [String]: FieldValue {
  /// Several texts.
  @inlinable public static var fieldKind: FieldKind { .texts }

  /// Reads the texts, in ascending order of their bytes, if the bytes are valid.
  public init?(stored: StoredValue) {
    self = []
    var list = TextList(stored.bytes)
    while let bytes = list.next() {
      guard let text = bytes.text else { return nil }
      append(text)
    }
    guard list.isAtEnd else { return nil }
  }

  /// Calls `body` with the texts, sorted and without duplicates; no row accepts a text of more than
  /// ``RowFormat/byteCountMax`` bytes.
  public func withStored(_ body: (StoredValue) -> Void) {
    let bytes = TextList.bytes(of: map { Array<UInt8>($0.utf8) })
    return body(StoredValue(bytes: bytes.raw))
  }
}

extension Set<String>: FieldValue {
  /// Several texts.
  @inlinable public static var fieldKind: FieldKind { .texts }

  /// Reads the texts if the bytes are valid.
  public init?(stored: StoredValue) {
    guard let texts = [String](stored: stored) else { return nil }
    self.init(texts)
  }

  /// Calls `body` with the texts in ascending order of their bytes.
  public func withStored(_ body: (StoredValue) -> Void) { Array(self).withStored(body) }
}

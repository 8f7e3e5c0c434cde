import LMDB

/// Several texts in the stored form of a field, changed without creating a string for each.
///
/// Inserted texts are plain, meaning ASCII only, so that equal texts have equal bytes.
package struct PlainTexts {
  /// A two-byte count and the bytes of each text, in ascending order of the bytes.
  fileprivate var list: ComposedText
  /// The number of texts.
  package private(set) var count = 0

  /// Starts empty.
  package init() { list = ComposedText() }

  fileprivate init(_ bytes: RawSpan) {
    list = ComposedText()
    list.bytes = bytes.array
    var texts = TextList(bytes)
    while texts.next() != nil { count += 1 }
  }

  /// Inserts a plain text unless present; returns whether the text is plain.
  ///
  /// - Complexity: O(bytes of all texts)
  package mutating func insert(_ utf8: RawSpan) -> Bool {
    guard utf8.isASCII else { return false }
    let (offset, isThere) = place(of: utf8)
    if isThere { return true }
    if list.bytes.capacity == 0 { list.bytes.reserveCapacity(Self.usualRoom) }
    list.insert(counted: utf8, at: offset)
    count += 1
    return true
  }

  /// The capacity for the few texts that most fields have.
  private static let usualRoom = 112

  /// Inserts a text, as the overload for bytes does.
  @discardableResult
  package mutating func insert(_ text: String) -> Bool { text.withBytes { insert($0) } }

  /// Inserts a text that is a part of a buffer, where it gets small letters in place of capital
  /// ones, as the overload for bytes does.
  package mutating func insert(small range: Range<Int>, of bytes: inout [UInt8]) -> Bool {
    bytes.makeSmall(range)
    return insert(bytes.raw.extracting(range))
  }

  /// Removes a text if present; returns whether the text is plain.
  ///
  /// - Complexity: O(bytes of all texts)
  @discardableResult
  package mutating func remove(_ text: String) -> Bool { text.withBytes { remove($0) } }

  private mutating func remove(_ utf8: RawSpan) -> Bool {
    guard utf8.isASCII else { return false }
    let (offset, isThere) = place(of: utf8)
    guard isThere else { return true }
    list.remove(offset..<(offset + 2 + utf8.byteCount))
    count -= 1
    return true
  }

  /// Returns a text's actual or would-be offset.
  private func place(of utf8: RawSpan) -> (offset: Int, isThere: Bool) {
    var (texts, offset) = (TextList(list.utf8), 0)
    while let text = texts.next() {
      let order = text.compareBytes(with: utf8)
      if order >= 0 { return (offset, order == 0) }
      offset += 2 + text.byteCount
    }
    return (offset, false)
  }
}

extension MutableRow {
  /// Returns the texts of a field.
  package func texts(_ field: Field<Set<String>>) -> PlainTexts {
    view.has(field.index) ? PlainTexts(view.variable(field.index)) : PlainTexts()
  }

  /// Sets the texts of a field, or clears the field if there are none.
  package mutating func set(_ field: Field<Set<String>>, _ texts: PlainTexts) {
    guard texts.count > 0 else { return clear(field.index, .texts) }
    set(field.index, .texts, StoredValue(bytes: texts.list.utf8))
  }

  /// Sets the texts of a field to those that `body` inserts, or clears the field if there are none.
  ///
  /// What `body` gets may share its buffer with all rows: `body` must neither keep nor replace it.
  /// If the row gets too large, `body` is called twice.
  ///
  /// - Returns: The result of `body`; if that is `false`, nothing changes.
  package mutating func set(
    _ field: Field<Set<String>>, inserting body: (inout PlainTexts) -> Bool
  ) -> Bool {
    setComposed(field.index, .texts) { list in
      var texts = PlainTexts()
      swap(&texts.list, &list)
      defer { swap(&texts.list, &list) }
      return body(&texts)
    }
  }

  /// Sets a field to the UTF-8 that `body` writes, on the same terms.
  ///
  /// - Returns: Whether the field was set; it isn't if `body` returns `false` or the text is
  ///   invalid.
  package mutating func set(
    _ field: Field<String>, writing body: (inout ComposedText) -> Bool
  ) -> Bool {
    setComposed(field.index, .text) { body(&$0) && $0.isValid }
  }

  /// Returns whether a field contains a text, compared by bytes.
  package func has(_ text: String, in field: Field<Set<String>>) -> Bool {
    view.has(text, in: field)
  }

  /// Sets a field to a text if it is valid UTF-8; returns whether it is.
  package mutating func set(_ field: Field<String>, utf8: RawSpan) -> Bool {
    guard utf8.isASCII || utf8.isUTF8 else { return false }
    set(field.index, .text, StoredValue(bytes: utf8))
    return true
  }

  /// Sets a field to the lowercase of another field if that is plain, or to an empty text if that
  /// has no value; returns whether the field was set.
  package mutating func set(
    _ field: Field<String>, toSmallLettersOf source: Field<String>
  ) -> Bool {
    guard view.has(source.index) else {
      set(field.index, .text, StoredValue(bytes: RawSpan()))
      return true
    }
    guard view.variable(source.index).isASCII else { return false }
    let range = view.variableRange(source.index)
    let place = (start + range.lowerBound)..<(start + range.upperBound)
    let isComposed = compose(field.index, .text) { text in
      text.appendSmallLetters(of: place)
      return true
    }
    if isComposed == true { return true }
    var letters = spares.take()
    letters.append(copying: view.variable(source.index))
    letters.makeSmall(letters.indices)
    set(field.index, .text, StoredValue(bytes: letters.raw))
    spares.keep(&letters)
    return true
  }
}

extension RowView {
  /// Returns whether a field contains a text, compared by bytes.
  func has(_ text: String, in field: Field<Set<String>>) -> Bool {
    guard isPresent, has(field.index) else { return false }
    var list = TextList(variable(field.index))
    return text.withBytes { bytes in
      while let other = list.next() { if other.equals(bytes) { return true } }
      return false
    }
  }
}

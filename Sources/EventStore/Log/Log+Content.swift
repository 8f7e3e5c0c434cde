import LMDB

extension Log {
  /// Returns the bytes that a reference denotes, even if the row is shown before its record is in
  /// the log; `nil` if the record no longer exists or its payload was erased.
  ///
  /// - Complexity: O(log *n* + bytes of the payload)
  /// - Throws: ``LogError/damagedRecord(_:_:)``, `closed`.
  public func content(of reference: TextReference) throws(LogError) -> [UInt8]? {
    // Look here first, as a batch becomes readable in the log before it stops being under way.
    let shown = underWay.withPayload(of: reference.record) { payload in
      Snapshot.content(of: Int(reference.field), in: payload)
    }
    if let shown { return shown }
    return try reading { (snapshot: borrowing Snapshot) throws(LogError) -> [UInt8]? in
      try snapshot.content(of: reference)
    }
  }

  /// Returns a record, even if it is shown before it is in the log; `nil` if none has that number.
  ///
  /// - Complexity: O(log *n* + bytes of the payload)
  /// - Throws: ``LogError/damagedRecord(_:_:)``, `compacted`, `closed`.
  package func record(_ number: RecordNumber) throws(LogError) -> Record? {
    if let record = underWay.record(number) { return record }
    return try reading { (snapshot: borrowing Snapshot) throws(LogError) -> Record? in
      try snapshot.record(number)
    }
  }
}

extension Snapshot {
  /// Returns the bytes that a reference denotes.
  fileprivate func content(of reference: TextReference) throws(LogError) -> [UInt8]? {
    do throws(LogError) {
      let content = try withRecord(reference.record) {
        (record: borrowing RecordView) throws(LogError) -> [UInt8]? in
        Self.content(of: Int(reference.field), in: record.payload)
      }
      return content ?? nil
    } catch LogError.compacted {
      return nil
    }
  }

  /// Returns the bytes of a text or bytes field of a payload, or `nil` if there is none.
  fileprivate static func content(of number: Int, in payload: RawSpan) -> [UInt8]? {
    var reader = PayloadReader(payload)
    while let field = try? reader.next(), field.number <= number {
      guard field.number == number else { continue }
      return field.type == .text ? try? field.utf8.array : try? field.byteArray
    }
    return nil
  }
}

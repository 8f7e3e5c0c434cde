import LMDB

extension Log {
  /// The bytes that a reference stands for, also one of a row that is shown before its record is in
  /// the log; `nil` where the record is not there any more, or its payload was erased.
  ///
  /// - Complexity: O(log *n* + bytes of the payload)
  /// - Throws: ``LogError/damagedRecord(_:_:)``, `closed`.
  public func content(of reference: TextReference) throws(LogError) -> [UInt8]? {
    // First, as what is committed meanwhile can be read before it is no longer under way.
    let shown = underWay.withPayload(of: reference.record) { payload in
      Snapshot.content(of: Int(reference.field), in: payload)
    }
    if let shown { return shown }
    return try reading { (snapshot: borrowing Snapshot) throws(LogError) -> [UInt8]? in
      try snapshot.content(of: reference)
    }
  }

  /// A record, also one that is shown before it is in the log; `nil` where there is none of that
  /// number.
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
  /// The bytes that a reference stands for.
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

  /// The bytes of a text, or bytes, of a payload; `nil` where there are none.
  fileprivate static func content(of number: Int, in payload: RawSpan) -> [UInt8]? {
    var reader = PayloadReader(payload)
    while let field = try? reader.next(), field.number <= number {
      guard field.number == number else { continue }
      return field.type == .text ? try? field.utf8.array : try? field.byteArray
    }
    return nil
  }
}

package import EventStore
package import LMDB

extension Spool {
  /// Writes an event that contains its number.
  package func write(number: Int) throws(LogError) {
    let kind = EventKind(rawValue: 1)
    try write(Event(kind: kind, recordedAt: Timestamp(rawValue: Int64(number)))) {
      $0.put(1, number)
      $0.put(2, [UInt8](repeating: UInt8(truncatingIfNeeded: number), count: 5000))
    }
  }
}

extension Folder {
  /// Drains the folder `spool` into the log in the folder `log`.
  ///
  /// - Returns: Which numbers are missing or duplicated, or `nil` if none are.
  package func lossOfSpooled(_ promises: [String]) async throws -> String? {
    try folder("log").create()
    let log = try await Log.open(at: path(of: "log"))
    let drained = try await log.drain(Spool(at: path(of: "spool")))
    let numbers = try log.numbers()
    await log.close()
    guard drained.refused.isEmpty else { return "\(drained.refused)" }
    guard Set(numbers).count == numbers.count else { return "\(numbers) hold one twice" }
    let missing = Set(promises).subtracting(numbers)
    return missing.isEmpty ? nil : "\(missing.sorted()) missing"
  }
}

extension Log {
  fileprivate func numbers() throws -> [String] {
    try read { snapshot throws(LogError) in
      var numbers: [String] = []
      var cursor = try snapshot.records()
      while try cursor.next() {
        let number = cursor.record.header.recordedAt.rawValue
        let fields = try? PayloadFields(decoding: cursor.record.payload)
        numbers.append(fields?[1] == .integer(number) ? "\(number)" : "damaged \(number)")
      }
      return numbers
    }
  }
}

import EventStore

/// Records that are damaged, which what is shown is made without.
enum Damage {
  /// So many are named.
  private static let namedMax = 5

  /// Says which of the events that were left out are damaged records, and where that is so that
  /// something is wrong: otherwise `status`.
  static func status(
    _ status: ExitStatus, leavingOut refused: [RefusedEvent], of log: Log, in folder: String
  ) -> ExitStatus {
    let damaged = refused.filter { event in
      // What can be read the reducer refused.
      let record = try? log.read { snapshot in try snapshot.record(event.number) }
      return (record ?? nil) == nil
    }
    guard !damaged.isEmpty else { return status }
    for event in damaged.prefix(namedMax) {
      Output.complain("tideline: \(event.reason) What is shown is made without it.")
    }
    let left = damaged.count - namedMax
    if left > 0 { complain(of: left, in: folder) }
    return status == .done ? .failed : status
  }

  /// Says how many records are damaged, apart from those that were named.
  static func complain(of count: Int, in folder: String) {
    let records = count == 1 ? "1 record is" : "\(count) records are"
    Output.complain("tideline: \(records) damaged, and left out; see: tideline check \(folder)")
  }
}

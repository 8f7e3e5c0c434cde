package import EventStore

/// The pushes to an inbox after which its server has something to tell, as they have a message or
/// want a refresh: by whichever way they came into the log, and each once lists show it.
package struct PushWatch {
  private let account: UInt32
  private var records: ShownRecords

  /// Those behind a record.
  package init(to inbox: Inbox, behind last: RecordNumber) {
    account = inbox.account
    var filter = RecordFilter()
    filter.kinds = [AlertArrived.kind, SilentPushArrived.kind]
    records = ShownRecords(of: inbox.store, from: last.advanced(by: 1), matching: filter)
  }

  /// The record of the next, once there is one; `nil` where there will be none, or the task was
  /// cancelled.
  package mutating func next() async -> RecordNumber? {
    while let record = await records.next() { if isOne(record) { return record.number } }
    return nil
  }

  /// Whose a push is that was recorded for nobody is not looked for here.
  private func isOne(_ record: Record) -> Bool {
    if let login = record.header.login, login.account != account { return false }
    guard record.header.kind == SilentPushArrived.kind else { return true }
    let push = try? EventCatalog.event(of: record)
    return (push as? SilentPushArrived)?.purpose == .refresh
  }
}

package import EventStore

/// The pushes to an inbox after which its server has news: those with a message or a refresh
/// request.
///
/// They count however they entered the log, each once lists show it.
package struct PushWatch {
  private let account: UInt32
  private var records: ShownRecords

  /// Watches pushes after a record.
  package init(to inbox: Inbox, after last: RecordNumber) {
    account = inbox.account
    var filter = RecordFilter()
    filter.kinds = [AlertArrived.kind, SilentPushArrived.kind]
    records = ShownRecords(of: inbox.store, from: last.advanced(by: 1), matching: filter)
  }

  /// Waits for the next push and returns its record.
  ///
  /// Returns `nil` if no more will come or the task was cancelled.
  package mutating func next() async -> RecordNumber? {
    while let record = await records.next() { if isOne(record) { return record.number } }
    return nil
  }

  /// A push recorded without a recipient counts; its account is not looked up here.
  private func isOne(_ record: Record) -> Bool {
    if let login = record.header.login, login.account != account { return false }
    guard record.header.kind == SilentPushArrived.kind else { return true }
    let push = try? EventCatalog.event(of: record)
    return (push as? SilentPushArrived)?.purpose == .refresh
  }
}

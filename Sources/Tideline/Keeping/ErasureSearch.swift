package import EventStore

/// Finds the records that hold data of an account or an object although their headers do not name
/// it.
///
/// The search remembers its position, so that it can continue after more records are appended.
package struct ErasureSearch: Sendable {
  private let account: UInt32
  /// The last record to search, or `nil` for all of them.
  private let last: RecordNumber?
  /// The trail of the object, or `nil` in a search for an account.
  private(set) var trail: ObjectTrail?
  /// The record to look at next.
  private var next: RecordNumber = 1
  private var lastLogin = LastLogin()
  /// The numbers of the records that the last look found.
  package private(set) var numbers: [ClosedRange<RecordNumber>] = []

  /// Creates a search for an account, up to a record or through the whole log.
  init(of account: UInt32, upTo last: RecordNumber? = nil) {
    (self.account, self.last) = (account, last)
  }

  /// Creates a search for the object that has some names in an account.
  package init(
    for names: Set<ObjectName>, of account: UInt32,
    fingerprint: @escaping @Sendable (String) -> Fingerprint
  ) {
    (self.account, last) = (account, nil)
    trail = ObjectTrail(names, account, fingerprint)
  }

  /// The whole erasure: the records whose headers name the target, and those found.
  var erasure: Erasure {
    Erasure(
      accounts: trail == nil ? [account] : [], entities: trail?.entities ?? [], numbers: numbers,
      last: last)
  }

  /// The erasure of the records found by a later look, or `nil` if there are none.
  ///
  /// The first erasure took those whose headers name the target.
  var rest: Erasure? { numbers.isEmpty ? nil : Erasure(numbers: numbers, last: last) }

  /// Searches the records appended since the last look; ``numbers`` then holds only their results.
  ///
  /// - Parameter mayGoOn: Asked now and then whether to continue, since a log can't be closed while
  ///   it is read.
  /// - Throws: `closed` if it may not continue; `LogError`.
  package mutating func look(at log: Log, while mayGoOn: () -> Bool) throws {
    if next > 1 { trail?.isOld = true }
    numbers = []
    try log.read { snapshot in
      // The records seen before may have been compacted away.
      if next <= snapshot.floor { (next, lastLogin) = (1, LastLogin()) }
      var cursor = try snapshot.records(from: next > 1 ? next : nil)
      var count = 0
      // Nobody can tell what damaged records hold.
      while try cursor.nextWhole(through: snapshot.last) {
        count += 1
        if count % Self.step == 0, !mayGoOn() { throw StoreError.closed(path: log.path) }
        look(at: cursor.record)
      }
      next = snapshot.last.advanced(by: 1)
    }
  }

  /// The number of records between two questions whether to continue.
  private static let step = 1024

  private mutating func look(at record: borrowing RecordView) {
    lastLogin.follow(record)
    guard record.number <= last ?? record.number else { return }
    if holds(record), !record.header.isErased { numbers.add(record.number) }
  }

  /// Whether a record holds data of the target although its header does not name it.
  private mutating func holds(_ record: borrowing RecordView) -> Bool {
    let owner = owner(of: record.header)
    guard trail != nil else { return owner == account }
    guard record.header.login?.account ?? owner ?? account == account else { return false }
    return trail?.follow(record) ?? false
  }

  /// Returns the account of a push that was recorded without a login.
  private func owner(of header: RecordHeader) -> UInt32? {
    switch header.kind {
    case AlertArrived.kind, AlertOpened.kind, SilentPushArrived.kind:
      header.login == nil ? lastLogin.account(at: header.recordedAt) : nil
    default: nil
    }
  }
}

import EventStore

/// Finds the records that hold something of an account or an object, beside those whose headers
/// name it.
struct ErasureSearch {
  /// What is to be erased.
  enum Target {
    case account
    /// An object by its names; those that pushes know it by are its ids.
    case object(Set<Fingerprint>, ids: Set<String>)
  }

  private let account: UInt32
  private let target: Target
  private var lastLogin = LastLogin()
  private var intents: Set<RecordNumber> = []
  /// Those that were found.
  private(set) var numbers: [ClosedRange<RecordNumber>] = []

  /// A search for an account, or for something of it.
  init(_ target: Target, of account: UInt32) {
    (self.account, self.target) = (account, target)
  }

  /// Looks at all records there are.
  ///
  /// - Parameter mayGoOn: Asked now and then: a log that is being read can't be closed.
  /// - Throws: `closed` where it may not go on; `LogError`.
  mutating func look(at log: Log, while mayGoOn: () -> Bool) throws {
    try log.read { snapshot in
      var cursor = try snapshot.records()
      var count = 0
      while try cursor.next() {
        count += 1
        if count % Self.step == 0, !mayGoOn() { throw StoreError.closed(path: log.path) }
        look(at: cursor.record)
      }
    }
  }

  /// How many records it looks at before it asks whether it may go on.
  private static let step = 1024

  private mutating func look(at record: borrowing RecordView) {
    guard !record.header.isErased else { return }
    lastLogin.follow(record)
    let isFound =
      switch target {
      case .account: owner(of: record.header) == account
      case .object(let entities, let ids): holds(entities, ids, record)
      }
    if isFound { numbers.add(record.number) }
  }

  /// Whom a push counts for that was recorded without a login.
  private func owner(of header: RecordHeader) -> UInt32? {
    switch header.kind {
    case AlertArrived.kind, AlertOpened.kind, SilentPushArrived.kind:
      header.login == nil ? lastLogin.account(at: header.recordedAt) : nil
    default: nil
    }
  }

  /// Whether a record that may not name an object tells of it: what became of an intent may hold
  /// what was sent of it or what the server said of that, and what was refused holds all of it.
  private mutating func holds(
    _ entities: Set<Fingerprint>, _ ids: Set<String>, _ record: borrowing RecordView
  ) -> Bool {
    let header = record.header
    guard header.login?.account ?? owner(of: header) ?? account == account else { return false }
    if let entity = header.entity, entities.contains(entity) { intents.insert(record.number) }
    switch header.kind {
    case ItemRefused.kind, OperationStarted.kind: break
    case OperationDeferred.kind, OperationRejected.kind, OperationUncertain.kind: break
    case AlertArrived.kind, AlertOpened.kind: break
    default: return false
    }
    switch try? EventCatalog.event(of: record) {
    case let refused as ItemRefused: return refused.id.map(ids.contains) ?? false
    case let started as OperationStarted: return intents.contains(started.intent)
    case let deferred as OperationDeferred: return intents.contains(deferred.intent)
    case let rejected as OperationRejected: return intents.contains(rejected.intent)
    case let uncertain as OperationUncertain: return intents.contains(uncertain.intent)
    case let arrived as AlertArrived: return arrived.message.id.map(ids.contains) ?? false
    case let opened as AlertOpened:
      guard ids.contains(opened.id) else { return false }
      intents.insert(record.number)
      return true
    default: return false
    }
  }
}

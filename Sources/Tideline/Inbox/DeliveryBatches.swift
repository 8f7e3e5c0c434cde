import EventStore

/// The batches of what a server has told: each begins with the record of the answer, which the
/// others in it refer to.
///
/// Nearly always it is one. Of very much, such as of a first answer with all there is, each is a
/// part: one is shown while the next is written. If only some of the facts are recorded, the
/// cursor, which comes behind them, is not.
struct DeliveryBatches {
  /// How many records go together at most.
  static let countMax = 1 << 10
  /// How many bytes have to be there for another batch to be begun.
  static let bytesMax = 1 << 24

  /// Those that are full.
  private var full: [Batch] = []
  private var last = Batch()
  private var exchange: Exchange
  private let now: Timestamp
  private let login: Login

  init(_ exchange: Exchange, at now: Timestamp, for login: Login) {
    (self.exchange, self.now, self.login) = (exchange, now, login)
    last.add(exchange, recordedAt: now, login: login)
    self.exchange.unchanged = []
  }

  /// All of them: at least one.
  var batches: [Batch] { full + [last] }

  /// Adds an event, or, of what no record holds, that it is refused; returns whether it was added.
  @discardableResult
  mutating func add(_ event: some InboxEvent, entity: Fingerprint? = nil) -> Bool {
    if last.count >= Self.countMax || last.byteCount >= Self.bytesMax { beginAnother() }
    record(event, entity)
    guard last.longestPayload > Log.payloadBytesMax else { return true }
    last.takeBackLast()
    record(
      ItemRefused {
        $0.objectClass = event.entity?.objectClass
        $0.id = event.entity.flatMap { $0.id.utf8.count <= Self.idBytesMax ? $0.id : nil }
        $0.reason = "It is over the limit of \(Log.payloadBytesMax) bytes."
      })
    return false
  }

  /// Adds a fact, and in the same batch that it was received, where a server is to be told: so a
  /// fact that is there never lacks that.
  mutating func add(_ fact: ObjectFact, entity: Fingerprint?, _ receipt: MessageDownloaded?) {
    if last.count + 1 >= Self.countMax { beginAnother() }
    if add(fact, entity: entity), let receipt { record(receipt) }
  }

  private mutating func record(_ event: some InboxEvent, _ entity: Fingerprint? = nil) {
    last.add(event, recordedAt: now, login: login, exchange: .sameBatch(0), entity: entity)
  }

  /// The bytes of an id that is named of what is refused.
  private static let idBytesMax = 1 << 10

  private mutating func beginAnother() {
    full.append(last)
    last = Batch()
    last.add(exchange, recordedAt: now, login: login)
  }
}

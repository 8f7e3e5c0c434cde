import EventStore

/// The batches of what a server has told: each begins with the record of the answer, which the
/// others in it refer to.
///
/// Nearly always it is one. Of very much, such as of a first answer with all there is, each is a
/// part; if only some of the facts are recorded, the cursor, which comes behind them, is not.
struct DeliveryBatches {
  /// How many records go together at most.
  static let countMax = 1 << 13
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

  mutating func add(_ event: some InboxEvent, entity: Fingerprint? = nil) {
    if last.count >= Self.countMax || last.byteCount >= Self.bytesMax { beginAnother() }
    last.add(event, recordedAt: now, login: login, exchange: .sameBatch(0), entity: entity)
  }

  private mutating func beginAnother() {
    full.append(last)
    last = Batch()
    last.add(exchange, recordedAt: now, login: login)
  }
}

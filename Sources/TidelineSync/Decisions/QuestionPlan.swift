import EventStore

/// Decides when it is asked what is asked beside the refreshes: some of it at a time, and the same
/// once; and has what can't be asked now wait.
struct QuestionPlan {
  /// A question, and what for.
  struct Item: Hashable {
    let question: Question
    let purpose: QuestionID.Purpose
  }

  /// How many wait for the next refresh, and of what somebody looks at for their turn.
  private static let (unheardMax, waitingMax) = (64, 1024)

  /// What is to be asked as soon as something may be.
  private var held: [Item] = []
  /// The objects and lists that are asked for in their turn, each once.
  private var waiting: [Question] = []
  private var known: Set<Question> = []
  /// Those about objects that the server has just done something with.
  private var fresh: Set<Question> = []
  /// How many of them are being asked for.
  private var underWay = 0
  /// What was asked in vain, or could not be, and is asked with the next refresh.
  private var unheard: [Question] = []

  /// Has an object or a list be asked for in its turn.
  mutating func add(_ question: Question) {
    if known.insert(question).inserted { waiting.append(question) }
  }

  /// Has an object be asked for in its turn that the server has just done something with.
  mutating func addDone(_ question: Question) {
    fresh.insert(question)
    add(question)
  }

  /// Whether an object was asked for as the server had just done something with it, so that it was
  /// there: an answer that has it not may be older than that.
  ///
  /// So it is until there is an answer, or none is to come; that is believed the next time.
  mutating func isFresh(
    _ question: Question, until result: Result<Answer, ServerFailure>
  ) -> Bool {
    if case .failure(let failure) = result, failure.mayPass { return fresh.contains(question) }
    return fresh.remove(question) != nil
  }

  /// Has be asked for in its turn what somebody looks at: of very much what was first.
  mutating func look(_ question: Question) {
    if waiting.count < Self.waitingMax { add(question) }
  }

  /// Has something be asked with the next refresh: of very much what was wanted last.
  mutating func addLater(_ question: Question) {
    guard !unheard.contains(question) else { return }
    unheard.append(question)
    unheard = unheard.suffix(Self.unheardMax)
  }

  /// Notes that a refresh begins.
  mutating func beginRefresh() {
    unheard.forEach { add($0) }
    unheard = []
  }

  /// Has something be asked as soon as something may be.
  mutating func hold(_ item: Item) { held.append(item) }

  /// Lets go of what keeps up streams.
  mutating func endPulling() { held.removeAll { $0.purpose.isOfStream } }

  /// Takes out what is asked now.
  ///
  /// - Parameter limit: How many objects and lists are asked for at the same time.
  mutating func next(atMost limit: Int) -> [Item] {
    let count = max(min(limit - underWay, waiting.count), 0)
    let objects = waiting.prefix(count)
    waiting.removeFirst(count)
    known.subtract(objects)
    underWay += count
    defer { held = [] }
    return held + objects.map { Item(question: $0, purpose: .object) }
  }

  /// Notes that it is known what became of a question about an object or a list.
  mutating func answered() { underWay = max(underWay - 1, 0) }
}

extension QuestionID.Purpose {
  /// Whether it is to keep up a stream.
  fileprivate var isOfStream: Bool {
    if case .stream = self { true } else { false }
  }
}

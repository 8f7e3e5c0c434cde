import EventStore

/// Decides when to ask questions other than those of refreshes: a few at a time, and no duplicates.
///
/// Questions that can't be asked now wait.
struct QuestionPlan {
  /// A question and its purpose.
  struct Item: Hashable {
    let question: Question
    let purpose: QuestionID.Purpose
  }

  /// The limits of questions kept for the next refresh, and of viewed ones waiting for their turn.
  private static let (unheardMax, waitingMax) = (64, 1024)

  /// The questions to ask as soon as possible.
  private var held: [Item] = []
  /// The objects and lists to ask for in turn, without duplicates.
  private var waiting: [Question] = []
  private var known: Set<Question> = []
  /// The questions about objects that the server has just changed.
  private var fresh: Set<Question> = []
  /// The objects and lists now being asked for.
  private var underWay: [Question] = []
  /// Questions that failed or could not be asked, kept for the next refresh.
  private var unheard: [Question] = []

  /// Enqueues a question about an object or a list.
  mutating func add(_ question: Question) {
    if known.insert(question).inserted { waiting.append(question) }
  }

  /// Enqueues a question about an object that the server has just changed.
  mutating func addDone(_ question: Question) {
    fresh.insert(question)
    add(question)
  }

  /// Returns whether the question was about an object that the server had just changed, and which
  /// thus existed.
  ///
  /// An answer without the object may be older than that change.
  ///
  /// This holds until an answer arrives or can't arrive any more; the next answer is believed.
  mutating func isFresh(
    _ question: Question, until result: Result<Answer, ServerFailure>
  ) -> Bool {
    if case .failure(let failure) = result, failure.mayPass { return fresh.contains(question) }
    return fresh.remove(question) != nil
  }

  /// Enqueues a question about something in view; if too many wait, the earlier ones win.
  mutating func look(_ question: Question) {
    if waiting.count < Self.waitingMax { add(question) }
  }

  /// Saves a question for the next refresh; if there are too many, the latest ones win.
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

  /// Keeps a question to be asked as soon as possible.
  mutating func hold(_ item: Item) { held.append(item) }

  /// Removes and returns the kept questions of streams.
  @discardableResult
  mutating func takeHeldOfStreams() -> [Item] {
    defer { held.removeAll { $0.purpose.isOfStream } }
    return held.filter { $0.purpose.isOfStream }
  }

  /// Removes and returns the questions to ask now.
  ///
  /// - Parameter limit: The number of objects and lists that may be asked for in parallel.
  mutating func next(atMost limit: Int) -> [Item] {
    let count = max(min(limit - underWay.count, waiting.count), 0)
    let objects = waiting.prefix(count)
    waiting.removeFirst(count)
    known.subtract(objects)
    underWay += objects
    defer { held = [] }
    return held + objects.map { Item(question: $0, purpose: .object) }
  }

  /// Notes that a question about an object or a list has ended.
  mutating func answered(_ question: Question) {
    if let place = underWay.firstIndex(of: question) { underWay.remove(at: place) }
  }

  /// The questions about objects and lists that have no answer, the most urgent last.
  ///
  /// Those about objects that the server has just changed are left out: another plan would believe
  /// an answer that is older than the change.
  var unanswered: [Question] {
    (waiting.reversed() + unheard + underWay).filter { !fresh.contains($0) }
  }
}

extension QuestionID.Purpose {
  /// Whether the purpose is to keep up a stream.
  fileprivate var isOfStream: Bool {
    if case .stream = self { true } else { false }
  }
}

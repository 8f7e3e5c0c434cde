/// Who waits for what comes of a refresh by hand.
struct Askers {
  /// What is answered to who wants one: with which refresh it is waited for, of which machine.
  struct Answer: Sendable {
    var answer = RefreshAnswer.disabled
    var number = 0
    var era = 0
  }

  private struct Asker {
    let id: Int
    let answer: CheckedContinuation<Answer, Never>
    /// Whether it is being decided about.
    var isTakenIn = false
  }

  private struct Waiter {
    let id: Int
    let number: Int
    let answer: CheckedContinuation<Void, any Error>
  }

  private var askers: [Asker] = []
  private var waiters: [Waiter] = []

  /// Has somebody wait for whether a refresh begins.
  mutating func ask(_ id: Int, _ answer: CheckedContinuation<Answer, Never>) {
    askers.append(Asker(id: id, answer: answer))
  }

  /// Has somebody wait until a refresh is over.
  mutating func wait(_ id: Int, for number: Int, _ answer: CheckedContinuation<Void, any Error>) {
    waiters.append(Waiter(id: id, number: number, answer: answer))
  }

  /// Notes that it is being decided about all who ask.
  mutating func takeIn() { for place in askers.indices { askers[place].isTakenIn = true } }

  /// Takes out those about whom it was decided, to be answered.
  mutating func answer(_ answer: Answer) -> @Sendable () -> Void {
    let answered = askers.filter(\.isTakenIn)
    askers.removeAll(where: \.isTakenIn)
    return { for asker in answered { asker.answer.resume(returning: answer) } }
  }

  /// Takes out those who wait for a refresh that is over, to be told of it.
  mutating func tell(_ standing: SyncStanding) -> @Sendable () -> Void {
    let told = waiters.filter { standing.result(of: $0.number) != nil }
    waiters.removeAll { standing.result(of: $0.number) != nil }
    return {
      for waiter in told {
        if let result = standing.result(of: waiter.number) { waiter.answer.resume(with: result) }
      }
    }
  }

  /// Lets go of who waits no longer.
  mutating func cancel(_ id: Int) -> @Sendable () -> Void {
    var rest = Askers()
    (rest.askers, rest.waiters) = (askers.filter { $0.id == id }, waiters.filter { $0.id == id })
    askers.removeAll { $0.id == id }
    waiters.removeAll { $0.id == id }
    return { [rest] in rest.end() }
  }

  /// Tells all that nothing comes of it.
  func end() {
    for asker in askers { asker.answer.resume(returning: Answer()) }
    for waiter in waiters { waiter.answer.resume(throwing: CancellationError()) }
  }
}

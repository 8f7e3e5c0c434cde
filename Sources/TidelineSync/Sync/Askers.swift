/// The callers that wait for the result of a refresh that they requested.
struct Askers {
  /// The response to a refresh request, with the refresh to wait for and the machine's era.
  struct Answer: Sendable {
    var answer = RefreshAnswer.disabled
    var number = 0
    var era = 0
  }

  private struct Asker {
    let id: Int
    let isByHand: Bool
    let answer: CheckedContinuation<Answer, Never>
    /// Whether the request is being decided about.
    var isTakenIn = false
  }

  private struct Waiter {
    let id: Int
    let number: Int
    let answer: CheckedContinuation<Void, any Error>
  }

  private var askers: [Asker] = []
  private var waiters: [Waiter] = []

  /// Whether any caller waits to learn whether a refresh begins.
  var areAsking: Bool { !askers.isEmpty }

  /// Whether any caller waits to learn whether a manual refresh begins, or another one.
  func areAsking(byHand isByHand: Bool) -> Bool { askers.contains { $0.isByHand == isByHand } }

  /// Adds a caller that waits to learn whether a refresh begins.
  mutating func ask(
    _ id: Int, byHand isByHand: Bool, _ answer: CheckedContinuation<Answer, Never>
  ) {
    askers.append(Asker(id: id, isByHand: isByHand, answer: answer))
  }

  /// Adds a caller that waits until a refresh is over.
  mutating func wait(_ id: Int, for number: Int, _ answer: CheckedContinuation<Void, any Error>) {
    waiters.append(Waiter(id: id, number: number, answer: answer))
  }

  /// Marks all current requests as being decided about.
  mutating func takeIn() { for place in askers.indices { askers[place].isTakenIn = true } }

  /// Removes the callers whose manual or other requests were decided about; returns a closure that
  /// answers them.
  mutating func answer(_ answer: Answer, byHand isByHand: Bool) -> @Sendable () -> Void {
    let answered = askers.filter { $0.isTakenIn && $0.isByHand == isByHand }
    askers.removeAll { $0.isTakenIn && $0.isByHand == isByHand }
    return { for asker in answered { asker.answer.resume(returning: answer) } }
  }

  /// Removes the callers whose refresh is over; returns a closure that tells them.
  mutating func tell(_ standing: SyncStanding) -> @Sendable () -> Void {
    let told = waiters.filter { standing.result(of: $0.number) != nil }
    waiters.removeAll { standing.result(of: $0.number) != nil }
    return {
      for waiter in told {
        if let result = standing.result(of: waiter.number) { waiter.answer.resume(with: result) }
      }
    }
  }

  /// Removes a caller that no longer waits.
  mutating func cancel(_ id: Int) -> @Sendable () -> Void {
    var rest = Askers()
    (rest.askers, rest.waiters) = (askers.filter { $0.id == id }, waiters.filter { $0.id == id })
    askers.removeAll { $0.id == id }
    waiters.removeAll { $0.id == id }
    return { [rest] in rest.end() }
  }

  /// Removes the callers that wait for work that has ended; returns a closure that tells them.
  ///
  /// - Parameter isBrief: Whether work begins again at once, which answers new requests.
  mutating func interrupt(isBrief: Bool) -> @Sendable () -> Void {
    var ended = self
    if isBrief { ended.askers = [] }
    (askers, waiters) = (isBrief ? askers : [], [])
    return { [ended] in ended.end() }
  }

  /// Tells all callers to expect nothing.
  func end() {
    for asker in askers { asker.answer.resume(returning: Answer()) }
    for waiter in waiters { waiter.answer.resume(throwing: CancellationError()) }
  }
}

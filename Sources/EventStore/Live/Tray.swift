import LMDB

/// Holds what one reader has not taken yet: at most one element, since what arrives meanwhile is
/// merged into it.
package final class Tray<Element: Sendable>: Sendable {
  private struct State {
    var pending: Element?
    var waiter: (id: UInt64, answer: Answer<Element?>)?
    var isFinished = false
    var ids: UInt64 = 0
    /// Who alone may take, where somebody said that they begin to.
    var reader: UInt64?
  }

  private let state = Monitor(State())
  /// What two that follow each other come to, or `nil` where the second takes back the first.
  private let merge: @Sendable (Element, Element) -> Element?
  /// Told of what is taken, in the step in which it is.
  private let note: @Sendable (Element) -> Void

  /// An empty one, with what two that follow each other come to.
  ///
  /// - Parameter note: Told of each element that is taken, before any other is put or taken.
  package init(
    merging merge: @escaping @Sendable (Element, Element) -> Element?,
    noting note: @escaping @Sendable (Element) -> Void = { _ in }
  ) {
    (self.merge, self.note) = (merge, note)
  }

  /// Has nobody take from now on but who takes by the number that is returned: other waits end.
  package func begin() -> UInt64 {
    let (reader, waiter) = state.withLock { state -> (UInt64, Answer<Element?>?) in
      state.ids += 1
      state.reader = state.ids
      defer { state.waiter = nil }
      return (state.ids, state.waiter?.answer)
    }
    waiter?.resume(nil)
    return reader
  }

  /// Hands over an element: to who waits, or for later.
  package func put(_ element: Element) {
    let waiter = state.withLock { state -> Answer<Element?>? in
      guard !state.isFinished else { return nil }
      if let waiter = state.waiter {
        state.waiter = nil
        note(element)
        return waiter.answer
      }
      if let pending = state.pending {
        state.pending = merge(pending, element)
      } else {
        state.pending = element
      }
      return nil
    }
    waiter?.resume(element)
  }

  /// Takes what is there, or waits for it; `nil` once finished, where the task was cancelled, or
  /// where another began to take.
  ///
  /// For one reader at a time: a second one's wait ends the first's.
  ///
  /// - Parameter reader: The number with which the reader began, if it did.
  package func take(by reader: UInt64? = nil) async -> Element? {
    let id = state.withLock { state in
      state.ids += 1
      return state.ids
    }
    return await withTaskCancellationHandler {
      await answered { answer in
        let (displaced, now) = state.withLock { state -> (Answer<Element?>?, Element??) in
          // What is there is left to whoever takes next.
          if Task.isCancelled { return (nil, .some(nil)) }
          if let reader, reader != state.reader { return (nil, .some(nil)) }
          if let pending = state.pending {
            state.pending = nil
            note(pending)
            return (nil, .some(pending))
          }
          if state.isFinished { return (nil, .some(nil)) }
          defer { state.waiter = (id, answer) }
          return (state.waiter?.answer, nil)
        }
        displaced?.resume(nil)
        if let now { answer.resume(now) }
      }
    } onCancel: {
      let waiter = state.withLock { state -> Answer<Element?>? in
        guard state.waiter?.id == id else { return nil }
        defer { state.waiter = nil }
        return state.waiter?.answer
      }
      waiter?.resume(nil)
    }
  }

  /// Ends the sequence behind what is pending.
  package func finish() {
    let waiter = state.withLock { state -> Answer<Element?>? in
      state.isFinished = true
      defer { state.waiter = nil }
      return state.waiter?.answer
    }
    waiter?.resume(nil)
  }
}

import LMDB

/// Holds what one reader has not taken yet: at most one element, because later elements are merged
/// into it.
package final class Tray<Element: Sendable>: Sendable {
  private struct State {
    var pending: Element?
    var waiter: (id: UInt64, answer: ResumeOnce<Element?>)?
    var isFinished = false
    var ids: UInt64 = 0
    /// The only reader that may take, once a reader has registered.
    var reader: UInt64?
  }

  private let state = Monitor(State())
  /// Merges two consecutive elements; returns `nil` if the second undoes the first.
  private let merge: @Sendable (Element, Element) -> Element?
  /// Called with each taken element, in the same step.
  private let note: @Sendable (Element) -> Void

  /// Creates an empty tray that merges consecutive elements.
  ///
  /// - Parameter note: Called with each element that is taken, before any other is put or taken.
  package init(
    merging merge: @escaping @Sendable (Element, Element) -> Element?,
    noting note: @escaping @Sendable (Element) -> Void = { _ in }
  ) {
    (self.merge, self.note) = (merge, note)
  }

  /// Reserves taking for the reader whose number is returned; ends any other wait.
  package func begin() -> UInt64 {
    let (reader, waiter) = state.withLock { state -> (UInt64, ResumeOnce<Element?>?) in
      state.ids += 1
      state.reader = state.ids
      defer { state.waiter = nil }
      return (state.ids, state.waiter?.answer)
    }
    waiter?.resume(nil)
    return reader
  }

  /// Whether nothing is pending.
  package var isEmpty: Bool { state.withLock { $0.pending == nil } }

  /// Drops the pending element, if any.
  package func clear() { state.withLock { $0.pending = nil } }

  /// Hands an element to the waiting reader, or keeps it for later.
  package func put(_ element: Element) {
    let waiter = state.withLock { state -> ResumeOnce<Element?>? in
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

  /// Takes the pending element or waits for one; returns `nil` once finished, if the task is
  /// cancelled, or if another reader began to take.
  ///
  /// For one reader at a time: a second reader's wait ends the first's.
  ///
  /// - Parameter reader: The number with which the reader began, if it did.
  package func take(by reader: UInt64? = nil) async -> Element? {
    let id = state.withLock { state in
      state.ids += 1
      return state.ids
    }
    return await withTaskCancellationHandler {
      await answered { answer in
        let (displaced, now) = state.withLock { state -> (ResumeOnce<Element?>?, Element??) in
          // A pending element is left to the next taker.
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
      let waiter = state.withLock { state -> ResumeOnce<Element?>? in
        guard state.waiter?.id == id else { return nil }
        defer { state.waiter = nil }
        return state.waiter?.answer
      }
      waiter?.resume(nil)
    }
  }

  /// Ends the sequence after the pending element.
  package func finish() {
    let waiter = state.withLock { state -> ResumeOnce<Element?>? in
      state.isFinished = true
      defer { state.waiter = nil }
      return state.waiter?.answer
    }
    waiter?.resume(nil)
  }
}

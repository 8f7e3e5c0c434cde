#if canImport(CCurl)
  import EventStore
  import LMDB
  import Synchronization

  /// The requests of one client, on a thread that begins with the first of them.
  ///
  /// What others want of it waits until the thread takes it; all else happens on the thread alone.
  final class CurlLoop: Sendable {
    private struct State {
      var lastNumber = 0
      /// Requests that are to begin.
      var begun: [CurlTransfer.Order] = []
      /// The numbers of those that are to end.
      var cancelled: [Int] = []
      /// The numbers of all that have not ended.
      var live: Set<Int> = []
      var hasThread = false
      var isOver = false
    }

    /// How many connections there are to a server: a stream that is followed takes one for itself,
    /// and what waits for one might seem to be late.
    private static let connectionsMax = 8

    private let state = Mutex(State())
    private let requests = CurlRequests(connectionsMax: connectionsMax)

    /// A number for a request.
    func newNumber() -> Int {
      state.withLock { state in
        state.lastNumber += 1
        return state.lastNumber
      }
    }

    /// Has a request begin.
    func start(_ order: CurlTransfer.Order) {
      let isFirst = state.withLock { state in
        state.begun.append(order)
        state.live.insert(order.number)
        defer { state.hasThread = true }
        return !state.hasThread
      }
      if isFirst { _ = WorkerThread { self.run() } } else { requests.wake() }
    }

    /// Has a request end, if it has not.
    func cancel(_ number: Int) {
      let isLive = state.withLock { state in
        guard state.live.contains(number) else { return false }
        state.cancelled.append(number)
        return true
      }
      if isLive { requests.wake() }
    }

    /// Ends all that is under way, and the thread.
    func stop() {
      state.withLock { $0.isOver = true }
      requests.wake()
    }

    /// What is wanted since this was asked last, or `nil` once it is over.
    private func takeWanted() -> (begun: [CurlTransfer.Order], cancelled: [Int])? {
      state.withLock { state in
        guard !state.isOver else { return nil }
        defer { (state.begun, state.cancelled) = ([], []) }
        return (state.begun, state.cancelled)
      }
    }

    private func run() {
      requests.begin()
      var transfers: [CurlTransfer] = []
      while let wanted = takeWanted() {
        transfers += wanted.begun.map(begin)
        for number in wanted.cancelled { end(&transfers, .cancelled) { $0.number == number } }
        requests.perform()
        while let (request, code) = requests.nextEnded() {
          let failure = transfers.first { $0.request === request }?.failure(code)
          end(&transfers, failure) { $0.request === request }
        }
        let now = ContinuousClock.now
        end(&transfers, .timeout) { $0.lateAt <= now }
        wait(for: transfers, from: now)
      }
      end(&transfers, .cancelled) { _ in true }
      for order in state.withLock(\.begun) { order.waiter.resume(.failure(.cancelled)) }
    }

    private func begin(_ order: CurlTransfer.Order) -> CurlTransfer {
      let transfer = CurlTransfer(order) { [weak self] in self?.cancel(order.number) }
      requests.add(transfer.request)
      return transfer
    }

    private func end(
      _ transfers: inout [CurlTransfer], _ failure: HTTPFailure?,
      where isEnding: (CurlTransfer) -> Bool
    ) {
      for transfer in transfers where isEnding(transfer) {
        state.withLock { _ = $0.live.remove(transfer.number) }
        // First, as to remove it may take as long as to find out an address.
        transfer.end(failure)
        requests.remove(transfer.request)
      }
      transfers.removeAll(where: isEnding)
    }

    /// Sleeps until something comes, something is wanted, or something is late.
    private func wait(for transfers: [CurlTransfer], from now: ContinuousClock.Instant) {
      let left = transfers.map { max($0.lateAt - now, .zero) }.min()
      let pause = left.map { min(($0 / .milliseconds(1)).rounded(.up), Double(CInt.max)) }
      requests.wait(milliseconds: pause.map { CInt($0) } ?? CInt.max)
    }
  }
#endif

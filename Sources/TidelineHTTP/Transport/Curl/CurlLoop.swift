#if canImport(CCurl)
  import EventStore
  import LMDB
  import Synchronization

  /// The requests of one client, on a thread that starts with the first of them.
  ///
  /// Work from other threads is queued for this thread; everything else happens on it alone.
  final class CurlLoop: Sendable {
    private struct State {
      var lastNumber = 0
      /// Requests to start.
      var begun: [CurlTransfer.Order] = []
      /// The numbers of requests to cancel.
      var cancelled: [Int] = []
      /// The numbers of paused requests that should go on.
      var continued: [Int] = []
      /// The numbers of all requests that have not ended.
      var live: Set<Int> = []
      var hasThread = false
      var isOver = false
    }

    private let state = Mutex(State())
    private let requests: CurlRequests

    /// Creates a loop with a limit on the connections to a server.
    init(connectionsMax: Int) { requests = CurlRequests(connectionsMax: connectionsMax) }

    /// Returns a new number for a request.
    func newNumber() -> Int {
      state.withLock { state in
        state.lastNumber += 1
        return state.lastNumber
      }
    }

    /// Starts a request.
    func start(_ order: CurlTransfer.Order) {
      let isFirst = state.withLock { state in
        state.begun.append(order)
        state.live.insert(order.number)
        defer { state.hasThread = true }
        return !state.hasThread
      }
      if isFirst { _ = WorkerThread { self.run() } } else { requests.wake() }
    }

    /// Cancels a request, unless it has ended.
    func cancel(_ number: Int) {
      let isLive = state.withLock { state in
        guard state.live.contains(number) else { return false }
        state.cancelled.append(number)
        return true
      }
      if isLive { requests.wake() }
    }

    /// Lets a paused request go on, unless it has ended.
    private func goOn(_ number: Int) {
      let isLive = state.withLock { state in
        guard state.live.contains(number) else { return false }
        state.continued.append(number)
        return true
      }
      if isLive { requests.wake() }
    }

    /// Ends all requests and the thread.
    func stop() {
      state.withLock { $0.isOver = true }
      requests.wake()
    }

    private typealias Wanted = (begun: [CurlTransfer.Order], cancelled: [Int], continued: [Int])

    /// Returns the work queued since the last call, or `nil` once the loop is stopped.
    private func takeWanted() -> Wanted? {
      state.withLock { state in
        guard !state.isOver else { return nil }
        defer { (state.begun, state.cancelled, state.continued) = ([], [], []) }
        return (state.begun, state.cancelled, state.continued)
      }
    }

    private func run() {
      requests.begin()
      var transfers: [CurlTransfer] = []
      // Whether kept connections may be dead: a request timed out, and none was answered since.
      var areDoubtful = false
      while let wanted = takeWanted() {
        transfers += wanted.begun.map { begin($0, afresh: areDoubtful) }
        for number in wanted.cancelled { end(&transfers, .cancelled) { $0.number == number } }
        goOn(&transfers, wanted.continued)
        requests.perform()
        while let (request, code) = requests.nextEnded() {
          let failure = transfers.first { $0.request === request }?.failure(code)
          end(&transfers, failure) { $0.request === request }
          if failure == nil { areDoubtful = false }
        }
        let now = ContinuousClock.now
        if end(&transfers, .timeout, where: { $0.lateAt <= now && $0.request.wasSent }) {
          areDoubtful = true
        }
        end(&transfers, .notSent) { $0.lateAt <= now }
        wait(for: transfers, from: now)
      }
      end(&transfers, .cancelled) { _ in true }
      for order in state.withLock(\.begun) { order.waiter.resume(.failure(.cancelled)) }
    }

    /// - Parameter isFresh: Whether to use no connection again.
    private func begin(_ order: CurlTransfer.Order, afresh isFresh: Bool) -> CurlTransfer {
      let transfer = CurlTransfer(order) { [weak self] in
        self?.cancel(order.number)
      } onRoom: { [weak self] in
        self?.goOn(order.number)
      }
      if isFresh { transfer.request.takeFreshConnection() }
      requests.add(transfer.request)
      return transfer
    }

    /// Lets paused requests go on, and ends those that can't: part of their answers is lost.
    private func goOn(_ transfers: inout [CurlTransfer], _ numbers: [Int]) {
      for number in numbers {
        guard let transfer = transfers.first(where: { $0.number == number }) else { continue }
        if !transfer.goOn() { end(&transfers, .lost) { $0 === transfer } }
      }
    }

    /// Ends some requests; returns whether there were any.
    @discardableResult
    private func end(
      _ transfers: inout [CurlTransfer], _ failure: HTTPFailure?,
      where isEnding: (CurlTransfer) -> Bool
    ) -> Bool {
      let count = transfers.count
      for transfer in transfers where isEnding(transfer) {
        state.withLock { _ = $0.live.remove(transfer.number) }
        // Done first, because removal may take as long as an address lookup.
        transfer.end(failure)
        // The path may be dead although the connection is not closed; others share it over HTTP/2.
        if failure == .timeout { transfer.request.giveUpConnection() }
        requests.remove(transfer.request)
      }
      transfers.removeAll(where: isEnding)
      return transfers.count < count
    }

    /// Sleeps until there is activity, work, or a timeout.
    private func wait(for transfers: [CurlTransfer], from now: ContinuousClock.Instant) {
      let left = transfers.map { max($0.lateAt - now, .zero) }.min()
      let pause = left.map { min(($0 / .milliseconds(1)).rounded(.up), Double(CInt.max)) }
      requests.wait(milliseconds: pause.map { CInt($0) } ?? CInt.max)
    }
  }
#endif

import Dispatch
import EventStore
import LMDB

/// A signal that asks the process to end, from the terminal's user, from the parent process, or
/// because the terminal is gone.
enum Interruption: CInt, CaseIterable, Sendable {
  case interrupted = 2
  case hungUp = 1
  case terminated = 15

  /// Runs `body`, and cancels it when the process is asked to end.
  ///
  /// If `body` nevertheless returns, its status stands after an interruption by the user; after
  /// another signal the result is the signal's status.
  ///
  /// - Throws: The error of `body`; ``Interrupted`` if it did not finish.
  static func ending(_ body: @escaping @Sendable () async throws -> ExitStatus) async throws
    -> ExitStatus
  {
    let (arrivals, continuation) = AsyncStream<Interruption>.makeStream()
    var sources: [any DispatchSourceSignal] = []
    for signal in allCases {
      guard let source = await signal.source(telling: continuation) else { continue }
      sources.append(source)
    }
    let task = Task { try await body() }
    let first = Task {
      var arrivals = arrivals.makeAsyncIterator()
      let signal = await arrivals.next()
      if signal != nil { task.cancel() }
      return signal
    }
    let result = await task.result
    for source in sources { source.cancel() }
    continuation.finish()
    return try await outcome(of: result, after: first.value)
  }

  private static func outcome(
    of result: Result<ExitStatus, any Error>, after signal: Interruption?
  ) throws -> ExitStatus {
    do {
      let status = try result.get()
      guard let signal, signal != .interrupted else { return status }
      return signal.status
    } catch let error where error is CancellationError || error as? StoreError == .cancelled {
      throw Interrupted(by: signal ?? .interrupted)
    }
  }

  /// Returns a source that reports the signal from now on; `nil` if the parent process ignores it,
  /// as `nohup` does.
  ///
  /// Shells make background processes ignore the terminal's interruption, which is handled
  /// nevertheless.
  private func source(
    telling continuation: AsyncStream<Interruption>.Continuation
  ) async -> (any DispatchSourceSignal)? {
    // Otherwise the signal would end the process before the source receives it.
    let wasIgnored = ThisProcess.ignore(rawValue)
    guard !wasIgnored || self == .interrupted else { return nil }
    let source = DispatchSource.makeSignalSource(signal: rawValue, queue: .global())
    source.setEventHandler { continuation.yield(self) }
    await withCheckedContinuation { ready in
      source.setRegistrationHandler { ready.resume() }
      source.resume()
    }
    return source
  }

  /// The exit status for the signal.
  var status: ExitStatus {
    switch self {
    case .interrupted: .interrupted
    case .hungUp: .hungUp
    case .terminated: .terminated
    }
  }
}

/// The error that something did not finish because the process was asked to end.
struct Interrupted: Error, CustomStringConvertible {
  let status: ExitStatus
  let description: String

  init(by signal: Interruption) {
    status = signal.status
    description =
      switch signal {
      case .interrupted: "interrupted"
      case .hungUp: "ended because the terminal closed"
      case .terminated: "ended on request"
      }
  }
}

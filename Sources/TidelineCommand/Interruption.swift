import Dispatch
import EventStore
import LMDB

/// A signal that asks the process to end: of the person at the terminal, of whoever began it, or
/// that the terminal is gone.
enum Interruption: CInt, CaseIterable, Sendable {
  case interrupted = 2
  case hungUp = 1
  case terminated = 15

  /// Runs `body`, and cancels it when the process is asked to end.
  ///
  /// What goes on until it is interrupted has done so by then, and is done; asked otherwise to end,
  /// it has the status of the signal as all else has.
  ///
  /// - Throws: What `body` throws; ``Interrupted`` where it did not come to its end.
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
    return try await outcome(of: result, behind: first.value)
  }

  private static func outcome(
    of result: Result<ExitStatus, any Error>, behind signal: Interruption?
  ) throws -> ExitStatus {
    do {
      let status = try result.get()
      guard let signal, signal != .interrupted else { return status }
      return signal.status
    } catch let error where error is CancellationError || error as? StoreError == .cancelled {
      throw Interrupted(by: signal ?? .interrupted)
    }
  }

  /// What tells of the signal from now on; `nil` where whoever began the process has it ignored, as
  /// `nohup` does.
  ///
  /// Shells have what runs behind them ignore the interruptions of the terminal, which are taken
  /// all the same.
  private func source(
    telling continuation: AsyncStream<Interruption>.Continuation
  ) async -> (any DispatchSourceSignal)? {
    // The process would end by it before the source is told.
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

  /// What the process tells whoever began it.
  var status: ExitStatus {
    switch self {
    case .interrupted: .interrupted
    case .hungUp: .hungUp
    case .terminated: .terminated
    }
  }
}

/// That something did not come to its end, as the process was asked to end.
struct Interrupted: Error, CustomStringConvertible {
  let status: ExitStatus
  let description: String

  init(by signal: Interruption) {
    status = signal.status
    description =
      switch signal {
      case .interrupted: "interrupted"
      case .hungUp: "ended, as the terminal is gone"
      case .terminated: "ended, as was asked"
      }
  }
}

import Dispatch

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// The wish of the person at the terminal to end the process.
enum Interruption {
  /// Runs `body`, and cancels it when the process is interrupted.
  static func ending(_ body: @escaping @Sendable () async throws -> ExitStatus) async throws
    -> ExitStatus
  {
    #if canImport(Darwin)
      // There a source is told of signals only where they would not end the process.
      signal(SIGINT, SIG_IGN)
    #endif
    let source = DispatchSource.makeSignalSource(signal: SIGINT, queue: .global())
    let (interruptions, continuation) = AsyncStream<Void>.makeStream()
    source.setEventHandler { continuation.yield() }
    await withCheckedContinuation { ready in
      source.setRegistrationHandler { ready.resume() }
      source.resume()
    }
    let task = Task { try await body() }
    let watch = Task { for await _ in interruptions { task.cancel() } }
    defer {
      source.cancel()
      watch.cancel()
    }
    return try await task.value
  }
}

import LMDB

/// Runs `body`, which may block, on its own thread and returns the result.
package func onThread<R: Sendable>(
  _ body: @escaping @Sendable () throws -> R
) async -> Result<R, any Error> {
  await answered { (answer: ResumeOnce<Result<R, any Error>>) in
    _ = WorkerThread { answer.resume(Result { try body() }) }
  }
}

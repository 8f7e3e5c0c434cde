import LMDB

/// What `body` returns, run on a thread of its own, where it may block.
package func onThread<R: Sendable>(
  _ body: @escaping @Sendable () throws -> R
) async -> Result<R, any Error> {
  await answered { (answer: Answer<Result<R, any Error>>) in
    _ = WorkerThread { answer.resume(Result { try body() }) }
  }
}

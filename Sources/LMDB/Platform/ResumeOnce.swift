import CPlatform

/// The right to resume a waiting task, once.
@safe
package struct ResumeOnce<Value: Sendable>: Sendable {
  private let continuation: UnsafeContinuation<Value, Never>

  fileprivate init(_ continuation: UnsafeContinuation<Value, Never>) {
    unsafe self.continuation = unsafe continuation
  }

  /// The key that tells this answer from other pending ones.
  fileprivate var key: UInt { unsafe unsafeBitCast(continuation, to: UInt.self) }

  /// Resumes the task with a value.
  ///
  /// Must be called exactly once.
  package func resume(_ value: sending Value) {
    tideline_release(key)
    unsafe continuation.resume(returning: value)
  }
}

/// Suspends the task until the answer passed to `ask` resumes it.
///
/// Costs no allocation, whereas a checked continuation costs one.
package func answered<Value: Sendable>(
  _ ask: (ResumeOnce<Value>) -> Void
) async -> Value {
  var key: UInt = 0
  let value: Value = await unsafe withUnsafeContinuation { continuation in
    let answer = unsafe ResumeOnce<Value>(continuation)
    key = answer.key
    ask(answer)
  }
  tideline_acquire(key)
  return value
}

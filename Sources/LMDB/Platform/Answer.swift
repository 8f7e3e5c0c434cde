import CPlatform

/// The right to answer a waiting task, once.
@safe
package struct Answer<Value: Sendable>: Sendable {
  private let continuation: UnsafeContinuation<Value, Never>

  fileprivate init(_ continuation: UnsafeContinuation<Value, Never>) {
    unsafe self.continuation = unsafe continuation
  }

  /// What tells this answer from others on their way.
  fileprivate var key: UInt { unsafe unsafeBitCast(continuation, to: UInt.self) }

  /// Lets the task go on with a value.
  ///
  /// Never twice, and never not at all.
  package func resume(_ value: sending Value) {
    tideline_release(key)
    unsafe continuation.resume(returning: value)
  }
}

/// Suspends the task until whoever `ask` gives the answer to has resumed it.
///
/// It costs no allocation, where a checked continuation costs one.
package func answered<Value: Sendable>(
  _ ask: (Answer<Value>) -> Void
) async -> Value {
  var key: UInt = 0
  let value: Value = await unsafe withUnsafeContinuation { continuation in
    let answer = unsafe Answer<Value>(continuation)
    key = answer.key
    ask(answer)
  }
  tideline_acquire(key)
  return value
}

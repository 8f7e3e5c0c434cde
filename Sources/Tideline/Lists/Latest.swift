import Synchronization

/// The value of something watched that was delivered last, with which a further reader begins.
final class Latest<Value: Sendable>: Sendable {
  private let state: Mutex<Value>

  init(_ value: Value) { state = Mutex(value) }

  /// The value.
  var value: Value { state.withLock { $0 } }

  /// Replaces the value.
  func set(_ value: Value) { state.withLock { $0 = value } }
}

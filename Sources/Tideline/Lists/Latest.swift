import Synchronization

/// The value of something watched that was consumed last, with which a further reader begins.
///
/// Set it in the step in which a `Tray` hands the value out: what is set only when the reader has
/// resumed may come after a further reader has begun, which would then miss that value.
final class Latest<Value: Sendable>: Sendable {
  private let state: Mutex<Value>

  init(_ value: Value) { state = Mutex(value) }

  /// The value.
  var value: Value { state.withLock { $0 } }

  /// Replaces the value.
  func set(_ value: Value) { state.withLock { $0 = value } }
}

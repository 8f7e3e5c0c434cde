public import EventStore
public import Foundation

// The `localizedDescription` that apps show: what happened, to what, and what to do about it. The
// texts are in English.

extension IntentError: LocalizedError {
  /// What happened, to what, and what to do about it.
  public var errorDescription: String? { description }
}

extension QueryError: LocalizedError {
  /// What happened, to what, and what to do about it.
  public var errorDescription: String? { description }
}

extension PushError: LocalizedError {
  /// What happened, to what, and what to do about it.
  public var errorDescription: String? { description }
}

extension StoreError: LocalizedError {
  /// What happened, to what, and what to do about it.
  public var errorDescription: String? { description }
}

extension LogError: LocalizedError {
  /// What happened, to what, and what to do about it.
  public var errorDescription: String? { description }
}

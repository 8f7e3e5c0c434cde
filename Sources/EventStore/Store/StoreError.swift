/// Why a store can't do what it was asked to do, and how to fix that.
public enum StoreError: Error, Hashable, Sendable {
  /// The log can't be opened, read or written.
  case log(LogError)
  /// The views can't be kept: the disk is full or failing; the log is not affected.
  case views(path: String, detail: String)
  /// The store was closed, or is suspended.
  case closed(path: String)
  /// Another process keeps the views of this store, and they don't exist yet or don't advance.
  case busy(path: String)
  /// Another process keeps the views of this store with another reducer.
  case otherRules(path: String)
  /// The log doesn't hold a position: it belongs to another store, or to a history that no longer
  /// exists.
  case elsewhere(Position)
  /// The task was cancelled.
  case cancelled
}

extension StoreError: CustomStringConvertible {
  /// What happened, to what, and how to fix it.
  public var description: String {
    switch self {
    case .log(let error): error.description
    case .views(let path, let detail):
      "The views in \(path) can't be maintained: \(detail.withoutStop). "
        + "Fix the cause; the views can be deleted safely."
    case .closed(let path): "The store in \(path) is closed. Open or resume it."
    case .busy(let path): "Another process is building the views in \(path). Try again later."
    case .otherRules(let path):
      "Another process maintains the views in \(path) with different rules, as another version of "
        + "the program would. Close the store there, or open it here with the same reducer."
    case .elsewhere(let position):
      "The log has another history at record \(position.number.rawValue). Start over."
    case .cancelled: "The task was cancelled. Try again if it is still wanted."
    }
  }

  /// Converts any underlying failure to what it means for the store.
  package init(_ error: any Error, path: String) {
    switch error {
    case let error as StoreError: self = error
    case let error as LogError: self = .log(error)
    case is CancellationError: self = .cancelled
    default: self = .views(path: path, detail: "\(error)")
    }
  }
}

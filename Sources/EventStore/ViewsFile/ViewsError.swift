/// Why views can no longer be kept.
///
/// The remedy is always to rebuild them from the log.
enum ViewsError: Error, Hashable, CustomStringConvertible {
  /// Two parts of the views contradict each other.
  case inconsistent(String)
  /// The summary of the views is missing or damaged.
  case damaged(String)
  /// The views' file was tampered with.
  case lost(Distrust)

  var description: String {
    switch self {
    case .inconsistent(let detail): "The views contradict themselves: \(detail)."
    case .damaged(let detail): "The views are damaged: \(detail)."
    case .lost(let reason): "Another program changed the views' file: \(reason)."
    }
  }
}

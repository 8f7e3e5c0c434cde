/// Why views can't be kept any further.
///
/// The remedy is always the same: they are made anew from the log.
enum ViewsError: Error, Hashable, CustomStringConvertible {
  /// Two parts of the views contradict each other.
  case inconsistent(String)
  /// What is known of the views as a whole is not there, or damaged.
  case damaged(String)
  /// Their file is not what it was.
  case lost(Distrust)

  var description: String {
    switch self {
    case .inconsistent(let detail): "The views contradict themselves: \(detail)."
    case .damaged(let detail): "The views are damaged: \(detail)."
    case .lost(let reason): "The views' file was changed by somebody else: \(reason)."
    }
  }
}

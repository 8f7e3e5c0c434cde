import EventStore

/// A single delivery of a provider: the change to its list, then how refreshes ended.
///
/// The end of a refresh is reported after all changes that had happened by then.
struct ProviderMoment: Sendable {
  /// The maximum number of refresh outcomes that are kept for delivery.
  static let noticesMax = 16

  var change: Change?
  var notices: [InboxNotice] = []

  /// Returns this moment merged with the next, or `nil` if nothing is left to report.
  func merging(_ next: ProviderMoment) -> ProviderMoment? {
    var merged = ProviderMoment(change: change ?? next.change)
    if let change, let later = next.change { merged.change = change.merging(later) }
    merged.notices = (notices + next.notices).suffix(Self.noticesMax)
    return merged.change == nil && merged.notices.isEmpty ? nil : merged
  }
}

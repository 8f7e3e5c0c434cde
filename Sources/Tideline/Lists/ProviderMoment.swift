import EventStore

/// What is told of a provider at once: what happened to its list, and then how fetches ended.
///
/// A fetch that ended is told behind all changes that were there by then.
struct ProviderMoment: Sendable {
  /// How many fetches are remembered that nobody was told of.
  static let noticesMax = 16

  var change: Change?
  var notices: [InboxNotice] = []

  /// What came of one moment and the next, or `nil` where nothing did.
  func merging(_ next: ProviderMoment) -> ProviderMoment? {
    var merged = ProviderMoment(change: change ?? next.change)
    if let change, let later = next.change { merged.change = change.merging(later) }
    merged.notices = (notices + next.notices).suffix(Self.noticesMax)
    return merged.change == nil && merged.notices.isEmpty ? nil : merged
  }
}

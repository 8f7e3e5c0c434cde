public import Foundation

/// A condition on objects for requesting a list from a server.
public enum ServerFilter: Hashable, Sendable {
  /// Objects with a tag.
  case tag(String)
  /// Objects that are unread, or read if `false`.
  case unread(Bool)
  /// Objects that are starred, or not if `false`.
  case starred(Bool)
  /// Messages in a thread.
  case thread(String)
  /// Objects from or to any of these addresses, compared without case.
  case address([String])
  /// Objects of that time or later; for a thread, its last message counts.
  case since(Date)
  /// Objects of that time or earlier; for a thread, its last message counts.
  case until(Date)

  /// The kinds of filter that a server may support; a question has at most one of each.
  public enum Kind: Hashable, Sendable, CaseIterable {
    /// By a tag.
    case tag
    /// By unread state.
    case unread
    /// By starred state.
    case starred
    /// By a thread.
    case thread
    /// By addresses.
    case address
    /// By the earliest time.
    case since
    /// By the latest time.
    case until
  }

  /// The kind of the filter.
  public var kind: Kind {
    switch self {
    case .tag: .tag
    case .unread: .unread
    case .starred: .starred
    case .thread: .thread
    case .address: .address
    case .since: .since
    case .until: .until
    }
  }
}

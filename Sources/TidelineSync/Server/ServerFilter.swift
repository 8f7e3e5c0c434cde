public import Foundation

/// A condition on objects by which a server can be asked for a list of them.
public enum ServerFilter: Hashable, Sendable {
  /// They are under a tag.
  case tag(String)
  /// They are unread, or they are not.
  case unread(Bool)
  /// They are starred, or they are not.
  case starred(Bool)
  /// They are in a thread.
  case thread(String)
  /// They are from or for somebody with one of these addresses, whatever case those are written in.
  case address([String])
  /// They are of that moment or later; of a thread its last message is.
  case since(Date)
  /// They are of that moment or earlier; of a thread its last message is.
  case until(Date)

  /// What a server may be able to filter by: by each once in a question.
  public enum Kind: Hashable, Sendable, CaseIterable {
    /// By a tag.
    case tag
    /// By whether they are unread.
    case unread
    /// By whether they are starred.
    case starred
    /// By a thread.
    case thread
    /// By addresses.
    case address
    /// By the earliest moment.
    case since
    /// By the latest moment.
    case until
  }

  /// What it filters by.
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

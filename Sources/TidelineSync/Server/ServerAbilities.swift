public import Tideline

/// What a server can do, and how much at a time.
public struct ServerAbilities: Hashable, Sendable {
  /// What it can be asked for.
  public var streams: [ServerStream] = []
  /// Of which classes it can be asked for lists, and by what it filters them.
  public var lists: [ObjectClass: Set<ServerFilter.Kind>] = [:]
  /// How many requests it is sent at the same time, and for how many objects and lists it is asked
  /// beside them: from 1 to ``requestsLimit``, whatever it says.
  public var requestsMax = 4
  /// How many objects one request may be about, where all parts want the same.
  ///
  /// What has to be sent again goes with what it went with, and so under the same key, unless some
  /// of that is over: a request that arrives late, behind what was wanted since, is then known to
  /// the server only by its versions.
  public var partsMax = 1
  /// Whether it wants to be told that a rich message was received, where analytics are allowed.
  public var wantsReceipts = false
  /// Whether it can be asked whether a draft was sent: by the id that the message was sent with, or
  /// by the draft's.
  public var findsSent = false

  /// How many requests a server is sent at the same time at most.
  public static let requestsLimit = 256

  /// Nothing.
  public init() {}

  /// The same within what is possible.
  var bounded: ServerAbilities {
    var abilities = self
    abilities.requestsMax = min(max(requestsMax, 1), Self.requestsLimit)
    for place in streams.indices {
      abilities.streams[place].pageMax = max(streams[place].pageMax, 1)
    }
    return abilities
  }
}

/// A part of what a server has that is kept up by itself.
public struct ServerStream: Hashable, Sendable {
  /// How it is kept up.
  public enum Manner: Hashable, Sendable {
    /// By what changed since a cursor; and where there is none yet, by all objects and then by what
    /// changed since a cursor that was taken before them.
    case changes
    /// By the whole list of its objects, each time; where the server marks it, and there is one
    /// class, only when it is another.
    case list
  }

  /// By which name its cursor is kept.
  ///
  /// It has up to some hundred characters, and is another for each stream of a server. Where it
  /// changes, all is listed anew.
  public var name: String
  /// The classes of its objects: those first that others refer to, and last those that sum up
  /// others, such as threads behind their messages.
  ///
  /// Without any it is not kept up.
  public var classes: [ObjectClass]
  /// How it is kept up.
  public var manner: Manner
  /// How many objects it is asked for at a time, 1 at least.
  public var pageMax: Int
  /// Whether the server can tell by itself what changes in it.
  public var isFollowed = false

  /// A stream.
  public init(_ name: String, _ classes: [ObjectClass], by manner: Manner, pageMax: Int = 500) {
    self.name = name
    self.classes = classes
    self.manner = manner
    self.pageMax = pageMax
  }
}

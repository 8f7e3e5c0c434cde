import EventStore
public import Tideline

extension Testimony {
  /// From whom something comes.
  public enum Source: String, Sendable, Hashable, CaseIterable {
    /// A server told of it, or what became of an intent.
    case server
    /// A push brought it.
    case push
    /// The person, or the app, wanted it.
    case intent
    /// The device itself: a login, the clock, or what was kept of older records.
    case device
  }

  /// From whom the record comes.
  public var source: Source {
    let header = record.header
    switch (header.origin, header.kind.rawValue >> 8) {
    case (.intent, _), (_, 8): return .intent
    case (_, 1), (_, 2), (_, 5): return .server
    case (_, 3): return .push
    default: return .device
    }
  }
}

extension InboxReplay {
  /// Where what a property of an object says came from: the last record that changed it, up to
  /// where the replay stands; `nil` where none ever did.
  ///
  ///     let origin = try past.origin(of: \.subject, in: message)
  ///     print(origin?.source ?? .device, origin?.number ?? 0)
  ///
  /// Where an intent is over that was shown above what the server says, that is the record by which
  /// it is over: it shows again what was there before.
  ///
  /// - Complexity: As `Replay.blame(_:in:fields:with:)`.
  /// - Throws: `StoreError`; ``InboxReplayError/noField(_:among:)`` where the property is not kept.
  public func origin<Object: Model>(
    of keyPath: PartialKeyPath<Object>, in object: Object
  ) throws -> Testimony? {
    guard let field = Object.property(keyPath)?.field else {
      let known = Object.properties.compactMap(\.field?.name)
      throw InboxReplayError.noField("\(keyPath)", among: known)
    }
    let blames = try replay.blame(
      object.rowID, in: Object.collection, fields: FieldSet(field: field.number))
    return blames.last.map { Testimony($0.record, of: log) }
  }
}

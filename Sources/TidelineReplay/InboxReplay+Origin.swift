import EventStore
public import Tideline

extension Testimony {
  /// The source of a record.
  public enum Source: String, Sendable, Hashable, CaseIterable {
    /// A server reported it, or the outcome of an intent.
    case server
    /// A push delivered it.
    case push
    /// The person or the app wanted it.
    case intent
    /// The device itself: a login, the clock, or state kept from older records.
    case device
  }

  /// The source of the record.
  public var source: Source {
    let header = record.header
    switch (header.origin, header.kind.family) {
    case (.intent, _), (_, .analytics): return .intent
    case (_, .object), (_, .exchange), (_, .outcome): return .server
    case (_, .push): return .push
    default: return .device
    }
  }
}

extension InboxReplay {
  /// Returns the origin of a property's value: the last record that changed it, up to where the
  /// replay stands; `nil` if none did.
  ///
  ///     let origin = try past.origin(of: \.subject, in: message)
  ///     print(origin?.source ?? .device, origin?.number ?? 0)
  ///
  /// When an intent that covered the server's value ends, the origin is the record that ended it:
  /// the earlier value shows again.
  ///
  /// - Complexity: As `Replay.blame(_:in:fields:with:)`.
  /// - Throws: `StoreError`; ``InboxReplayError/noField(_:among:)`` if the property is not stored.
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

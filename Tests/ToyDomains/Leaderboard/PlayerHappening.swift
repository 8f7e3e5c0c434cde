package import EventStore

/// An event of a leaderboard.
package enum PlayerHappening: ToyHappening {
  /// A player joins, with a country or none.
  case join(String, country: String?)
  /// A known player gains points, or loses some.
  case score(String, Int)
  /// A player's name changes, or is removed.
  case rename(String, String?)
  /// A player is rated, or no longer.
  case rate(String, Double?)
  /// A player retires, or comes back.
  case retire(String, Bool)
  /// A player leaves.
  case leave(String)
  /// All players start again, with so many points or none.
  case reset(Int?)
  /// An event that this reducer doesn't know.
  case unknown(UInt16)
}

/// The numbers of a payload's fields.
private enum Number {
  static let id = 1
  static let text = 2
  static let points = 3
  static let flag = 4
  static let rating = 5
}

extension PlayerHappening {
  /// The kinds of events that the reducer knows.
  enum Kind: UInt16, CaseIterable {
    case join = 100
    case score, rename, rate, retire, leave, reset
  }

  package var kind: EventKind {
    switch self {
    case .join: EventKind(rawValue: Kind.join.rawValue)
    case .score: EventKind(rawValue: Kind.score.rawValue)
    case .rename: EventKind(rawValue: Kind.rename.rawValue)
    case .rate: EventKind(rawValue: Kind.rate.rawValue)
    case .retire: EventKind(rawValue: Kind.retire.rawValue)
    case .leave: EventKind(rawValue: Kind.leave.rawValue)
    case .reset: EventKind(rawValue: Kind.reset.rawValue)
    case .unknown(let raw): EventKind(rawValue: raw)
    }
  }

  package func write(to writer: inout PayloadWriter) {
    switch self {
    case .join(let id, let text), .rename(let id, let text):
      writer.put(Number.id, id)
      if let text { writer.put(Number.text, text) }
    case .score(let id, let points):
      writer.put(Number.id, id)
      writer.put(Number.points, points)
    case .rate(let id, let rating):
      writer.put(Number.id, id)
      if let rating { writer.put(Number.rating, rating) }
    case .retire(let id, let flag):
      writer.put(Number.id, id)
      writer.put(Number.flag, flag)
    case .leave(let id): writer.put(Number.id, id)
    case .reset(let points): if let points { writer.put(Number.points, points) }
    case .unknown: break
    }
  }

  package init(_ kind: EventKind, _ payload: RawSpan) throws(PayloadError) {
    guard let known = Kind(rawValue: kind.rawValue) else {
      self = .unknown(kind.rawValue)
      return
    }
    let payload = try PlayerPayload(payload)
    switch known {
    case .join: self = .join(payload.id, country: payload.text)
    case .score: self = .score(payload.id, payload.points ?? 0)
    case .rename: self = .rename(payload.id, payload.text)
    case .rate: self = .rate(payload.id, payload.rating)
    case .retire: self = .retire(payload.id, payload.flag)
    case .leave: self = .leave(payload.id)
    case .reset: self = .reset(payload.points)
    }
  }
}

/// All possible content of a payload, whatever the kind.
private struct PlayerPayload {
  var id = ""
  var text: String?
  var points: Int?
  var flag = false
  var rating: Double?

  init(_ payload: RawSpan) throws(PayloadError) {
    var reader = PayloadReader(payload)
    while let field = try reader.next() {
      switch field.number {
      case Number.id: id = try field.text
      case Number.text: text = try field.text
      case Number.points: points = Int(try field.integer)
      case Number.flag: flag = try field.boolean
      case Number.rating: rating = try field.double
      default: break
      }
    }
  }
}

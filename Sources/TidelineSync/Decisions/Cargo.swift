import Tideline

/// Requests being filled.
struct Cargo {
  /// A request.
  struct Load {
    var parts: [ServerRequest.Part]
    var entries: [[OutboxEntry]]
  }

  private(set) var loads: [Load] = []
  private let room: Int
  private let partsMax: Int
  /// The number of uploads that can still be added.
  private var uploadsLeft: Int
  /// The request that can still take parts, by label.
  private var open: [Label: Int] = [:]

  private struct Label: Hashable {
    let objectClass: ObjectClass
    let wanted: ServerRequest.Wanted
    /// The request in which the operations were last sent.
    let request: Int?
  }

  init(_ abilities: ServerAbilities, room: Int, uploads: Int) {
    (self.room, partsMax, uploadsLeft) = (room, abilities.partsMax, uploads)
  }

  /// Whether another request can be added.
  ///
  /// Parts that only fit into a request that is not full are searched for sparingly: if every
  /// waiting operation has another label, the search would examine all of them again and again.
  var hasRoomForOther: Bool { loads.count < room }

  /// Whether a request can be added, or a part to one that is not full.
  var hasRoom: Bool { hasRoomForOther || !open.isEmpty }

  /// Returns whether an operation may go, as far as its kind is concerned.
  func mayTake(_ entry: OutboxEntry) -> Bool { entry.action != .addFile || uploadsLeft > 0 }

  /// Removes parts whose operations no longer qualify; returns whether it removed any.
  mutating func removeParts(unless isKept: ([OutboxEntry]) -> Bool) -> Bool {
    var hasRemoved = false
    for place in loads.indices {
      let load = loads[place]
      let kept = load.parts.indices.filter { isKept(load.entries[$0]) }
      guard kept.count < load.parts.count else { continue }
      hasRemoved = true
      loads[place] = Load(
        parts: kept.map { load.parts[$0] }, entries: kept.map { load.entries[$0] })
    }
    loads.removeAll(where: \.parts.isEmpty)
    return hasRemoved
  }

  /// Adds a part to a request if there is room.
  ///
  /// An upload takes long and much memory, so others are sent beside it.
  ///
  /// An operation that was started is resent with the same others, or alone. In a different request
  /// the server would not recognize it, and would repeat it if the first one arrives late.
  mutating func add(_ part: ServerRequest.Part, _ entries: [OutboxEntry]) {
    if part.wanted.isUpload {
      guard uploadsLeft > 0 else { return }
      uploadsLeft -= 1
    }
    let first = entries.first
    let label = Label(
      objectClass: part.objectClass, wanted: part.wanted, request: first?.request)
    let isShared = part.wanted.isShared && (first?.wasBegun != true || first?.request != nil)
    if isShared, let place = open[label] {
      loads[place].parts.append(part)
      loads[place].entries.append(entries)
      if loads[place].parts.count >= partsMax { open[label] = nil }
    } else if loads.count < room {
      loads.append(Load(parts: [part], entries: [entries]))
      if isShared, partsMax > 1 { open[label] = loads.count - 1 }
    }
  }
}

extension ServerRequest.Wanted {
  /// Whether it uploads a file.
  var isUpload: Bool { if case .file = self { true } else { false } }

  /// Whether one request may want the same of several objects.
  fileprivate var isShared: Bool {
    switch self {
    case .read, .deletion, .opening, .receipt: true
    default: false
    }
  }
}

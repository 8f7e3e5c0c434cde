import Tideline

/// Requests as they are being filled.
struct Cargo {
  /// A request.
  struct Load {
    var parts: [ServerRequest.Part]
    var entries: [[OutboxEntry]]
  }

  private(set) var loads: [Load] = []
  private let room: Int
  private let partsMax: Int
  /// The request that more may be put into, by what it is about.
  private var open: [Label: Int] = [:]

  private struct Label: Hashable {
    let objectClass: ObjectClass
    let wanted: ServerRequest.Wanted
    /// What it went in before.
    let request: Int?
  }

  init(_ abilities: ServerAbilities, room: Int) {
    (self.room, partsMax) = (room, abilities.partsMax)
  }

  /// Whether there is room for another request.
  ///
  /// Little is looked for that only fits into one that is not full: where all that waits wants
  /// something else, all of it would be looked at again and again.
  var hasRoomForOther: Bool { loads.count < room }

  /// Whether there is room for another request, or in one that is not full.
  var hasRoom: Bool { hasRoomForOther || !open.isEmpty }

  /// Takes out the parts whose operations are not as they have to be; says whether there are any.
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

  /// Puts a part into a request, if there is room.
  ///
  /// What was begun goes again with what it went with, or alone: in another request the server
  /// would not know it, and do it once more where the first comes late.
  mutating func add(_ part: ServerRequest.Part, _ entries: [OutboxEntry]) {
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
  /// Whether several objects may be asked for the same in one request.
  fileprivate var isShared: Bool {
    switch self {
    case .read, .deletion, .opening, .receipt: true
    default: false
    }
  }
}

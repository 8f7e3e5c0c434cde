import EventStore

/// A record of the workload: its author, batch and place determine its payload.
struct Note: Hashable, Sendable {
  let author: Int
  let batch: Int
  let index: Int
  /// The number of notes in the batch.
  let count: Int

  /// At most a few hundred bytes, but for every tenth note so many that LMDB stores them on
  /// separate pages.
  private var filler: [UInt8] {
    let seed = author &* 131 &+ batch &* 31 &+ index &* 7
    let size = seed % 10 == 0 ? 3000 + seed % 7 * 1500 : seed % 13 * 40
    return Array(repeating: UInt8(truncatingIfNeeded: seed), count: size)
  }

  private var fields: PayloadFields {
    [
      1: .integer(Int64(author)), 2: .integer(Int64(batch)), 3: .integer(Int64(index)),
      4: .integer(Int64(count)), 5: .bytes(filler),
    ]
  }

  /// Adds the note to a batch.
  func add(to batch: inout Batch) {
    let event = Event(kind: EventKind(rawValue: 1), recordedAt: Timestamp(rawValue: 0))
    batch.add(event) { writer in
      for field in fields { writer.put(field.number, field.value) }
    }
  }
}

extension Note {
  /// Decodes the note from its payload, or returns `nil` if the payload is not a note's.
  init?(_ fields: PayloadFields) {
    guard case .integer(let author)? = fields[1], case .integer(let batch)? = fields[2],
      case .integer(let index)? = fields[3], case .integer(let count)? = fields[4]
    else { return nil }
    self.init(author: Int(author), batch: Int(batch), index: Int(index), count: Int(count))
    guard fields == self.fields else { return nil }
  }
}

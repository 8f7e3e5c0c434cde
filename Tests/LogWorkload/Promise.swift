import EventStore

/// What the user is told: something that can be relied on whatever happens.
enum Promise: Hashable, Sendable {
  /// The log belongs to this store.
  case store(String)
  /// An author's batch of so many notes is to be found from this number on.
  case batch(RecordNumber, count: Int, author: Int, batch: Int)
}

extension Promise: LosslessStringConvertible {
  /// The line that tells the user.
  var description: String {
    switch self {
    case .store(let id): "store \(id)"
    case .batch(let first, let count, let author, let batch):
      "\(first) \(count) \(author) \(batch)"
    }
  }

  /// Reads the line again; `nil` where it promises nothing that is known here.
  init?(_ line: String) {
    let words = line.split(separator: " ")
    let numbers = words.compactMap { Int($0) }
    if words.count == 2, words[0] == "store" {
      self = .store(String(words[1]))
    } else if numbers.count == 4 {
      let first = RecordNumber(rawValue: UInt64(numbers[0]))
      self = .batch(first, count: numbers[1], author: numbers[2], batch: numbers[3])
    } else {
      return nil
    }
  }
}

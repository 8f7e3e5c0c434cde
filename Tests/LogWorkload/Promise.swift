import EventStore

/// An assurance to the user that must hold whatever happens.
enum Promise: Hashable, Sendable {
  /// The log belongs to this store.
  case store(String)
  /// An author's batch of `count` notes begins at this number.
  case batch(RecordNumber, count: Int, author: Int, batch: Int)
}

extension Promise: LosslessStringConvertible {
  /// The line that acknowledges the promise.
  var description: String {
    switch self {
    case .store(let id): "store \(id)"
    case .batch(let first, let count, let author, let batch):
      "\(first) \(count) \(author) \(batch)"
    }
  }

  /// Parses the line; returns `nil` for any other line.
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

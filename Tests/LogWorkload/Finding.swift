import EventStore

/// The notes found in a log.
struct Finding {
  private let store: String
  /// The notes in the order of their numbers; `nil` for a record that is not a note.
  private let notes: [Note?]

  init(store: String, _ notes: [Note?]) {
    self.store = store
    self.notes = notes
  }

  /// Returns the loss after these promises, or `nil` if nothing is lost.
  func loss(after promises: [Promise]) -> String? {
    if let number = notes.firstIndex(of: nil) { return "record \(number + 1) is another" }
    return tornBatch ?? promises.lazy.compactMap { loss(of: $0) }.first
  }

  /// The first gap: every author's batches must be there from the first on, each one whole.
  private var tornBatch: String? {
    var next: [Int: Note] = [:]
    for case let note? in notes {
      let expected = next[note.author, default: note.first]
      guard note == expected || note.index == 0 && note == expected.with(count: note.count)
      else { return "\(note) comes where \(expected) should" }
      next[note.author] = note.following
    }
    return next.values.first { $0.index > 0 }.map { "\($0) is missing" }
  }

  private func loss(of promise: Promise) -> String? {
    let isKept =
      switch promise {
      case .store(let id): id == store
      case .batch(let first, let count, let author, let batch):
        notes.dropFirst(Int(first.rawValue) - 1).prefix(count)
          == (0..<count).map { Note(author: author, batch: batch, index: $0, count: count) }[...]
      }
    return isKept ? nil : "broken: \(promise); found: \(notes.count) notes of \(store)"
  }
}

extension Note {
  /// The first note of the same author, in a batch of the same size.
  fileprivate var first: Note { Note(author: author, batch: 0, index: 0, count: count) }

  fileprivate func with(count: Int) -> Note {
    Note(author: author, batch: batch, index: index, count: count)
  }

  /// The note that the author writes next, as far as it can be known.
  fileprivate var following: Note {
    index + 1 < count
      ? Note(author: author, batch: batch, index: index + 1, count: count)
      : Note(author: author, batch: batch + 1, index: 0, count: count)
  }
}

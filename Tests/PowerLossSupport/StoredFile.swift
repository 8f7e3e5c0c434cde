/// A file's contents on the medium, and the changes not yet durable.
struct StoredFile {
  enum Change {
    case piece(Contents.Piece)
    case size(Int)
  }

  private(set) var durable = Contents()
  private var pending: [Change] = []

  /// Writes bytes.
  ///
  /// A durable write also flushes pending changes to the pages it touches, because the system
  /// writes whole pages, and earlier changes of size.
  mutating func write(_ bytes: [UInt8], at offset: Int, durable isDurable: Bool) {
    let pieces = Contents.pieces(of: bytes, at: offset)
    pending += pieces.map { .piece($0) }
    if isDurable { flush(pages: Set(pieces.map(\.page))) }
  }

  mutating func resize(to size: Int) { pending.append(.size(size)) }

  /// Makes everything durable.
  mutating func flush() {
    for change in pending { Self.apply(change, to: &durable) }
    pending = []
  }

  private mutating func flush(pages: Set<Int>) {
    var others: [Change] = []
    for change in pending {
      if case .piece(let piece) = change, !pages.contains(piece.page) {
        others.append(change)
      } else {
        Self.apply(change, to: &durable)
      }
    }
    pending = others
  }

  /// Returns the contents on the medium if the power is lost now.
  func contents(keeping survivors: Survival) -> Contents {
    var contents = durable
    for change in survivors.drawn(from: pending) { Self.apply(change, to: &contents) }
    return contents
  }

  private static func apply(_ change: Change, to contents: inout Contents) {
    switch change {
    case .piece(let piece): contents.put(piece)
    case .size(let size): contents.resize(to: size)
    }
  }
}

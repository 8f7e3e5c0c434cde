/// A file's contents, in pages that copies share.
package struct Contents: Hashable, Sendable {
  package static let pageSize = 4096

  /// The part of a write that falls on one page.
  package struct Piece: Hashable, Sendable {
    package let page: Int
    package let start: Int
    package let bytes: [UInt8]

    fileprivate var end: Int { page * pageSize + start + bytes.count }
  }

  private static let emptyPage = [UInt8](repeating: 0, count: pageSize)

  package private(set) var size = 0
  /// Whole pages, filled with zeros past the file's size.
  private var pages: [[UInt8]] = []

  package init() {}

  package init(_ bytes: [UInt8]) {
    for piece in Self.pieces(of: bytes, at: 0) { put(piece) }
  }

  /// Splits a write at page boundaries.
  package static func pieces(of bytes: [UInt8], at offset: Int) -> [Piece] {
    var pieces: [Piece] = []
    var done = 0
    while done < bytes.count {
      let (page, start) = (offset + done).quotientAndRemainder(dividingBy: pageSize)
      let count = min(pageSize - start, bytes.count - done)
      pieces.append(Piece(page: page, start: start, bytes: Array(bytes[done..<done + count])))
      done += count
    }
    return pieces
  }

  /// Truncates the file, or extends it with zeros.
  package mutating func resize(to size: Int) {
    let count = (size + Self.pageSize - 1) / Self.pageSize
    if count < pages.count { pages.removeLast(pages.count - count) }
    while pages.count < count { pages.append(Self.emptyPage) }
    let rest = size % Self.pageSize
    if size < self.size, rest > 0 {
      pages[count - 1] = Array(pages[count - 1][..<rest] + Self.emptyPage[rest...])
    }
    self.size = size
  }

  /// Writes a piece, extending the file if the piece ends past its end.
  package mutating func put(_ piece: Piece) {
    if piece.end > size { resize(to: piece.end) }
    guard piece.bytes.count < Self.pageSize else { return pages[piece.page] = piece.bytes }
    let page = pages[piece.page]
    let end = piece.start + piece.bytes.count
    pages[piece.page] = Array(page[..<piece.start]) + piece.bytes + page[end...]
  }

  /// All bytes of the file.
  package var bytes: [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(pages.count * Self.pageSize)
    for page in pages { bytes.append(contentsOf: page) }
    bytes.removeLast(bytes.count - size)
    return bytes
  }
}

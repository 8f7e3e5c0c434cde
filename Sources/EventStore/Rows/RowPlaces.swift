import LMDB

/// The places of a layer's rows, found by number.
///
/// The places of neighbouring rows share a page, and a directory holds the page number of each
/// neighbourhood. Rows with near numbers are therefore found near each other in memory, and
/// iteration is in order without sorting rows.
///
/// - Complexity: O(1) each, amortized; the memory is four bytes per row plus a page per
///   neighbourhood, and a quarter of a byte per number up to the greatest.
package struct RowPlaces: Sendable {
  /// For each neighbourhood, its page number plus 1, or 0.
  private var directory: [UInt32] = []
  /// The places plus 1, page by page; 0 if there is none.
  private var places: [UInt32] = []
  /// The neighbourhoods that have pages, in page order.
  private var neighbourhoods: [UInt32] = []
  /// The number of rows.
  package private(set) var count = 0

  /// The number of rows in a neighbourhood, as a power of two.
  private static let pageShift: UInt32 = 4
  private static let pageSize = 1 << 4

  /// Starts empty.
  package init() {}

  /// Returns the place of a row.
  @inline(__always)
  package func place(of id: UInt32) -> UInt32? {
    let neighbourhood = Int(id >> Self.pageShift)
    guard neighbourhood < directory.count, directory[neighbourhood] != 0 else { return nil }
    let place = places[Self.slot(of: id, on: directory[neighbourhood])]
    return place == 0 ? nil : place - 1
  }

  /// Prefetches the directory entry for a row's neighbourhood.
  @inline(__always)
  func fetchDirectory(of id: UInt32) { directory.prefetch(Int(id >> Self.pageShift)) }

  /// Prefetches a row's place if its neighbourhood has a page.
  @inline(__always)
  func fetchPlace(of id: UInt32) {
    let neighbourhood = Int(id >> Self.pageShift)
    guard neighbourhood < directory.count, directory[neighbourhood] != 0 else { return }
    places.prefetch(Self.slot(of: id, on: directory[neighbourhood]))
  }

  /// Sets the place of a row.
  package mutating func set(_ id: UInt32, _ place: UInt32) {
    precondition(id > 0, "0 is no row's number")
    let slot = Self.slot(of: id, on: page(of: id >> Self.pageShift))
    if places[slot] == 0 { count += 1 }
    places[slot] = place + 1
  }

  /// Removes a row if present.
  package mutating func remove(_ id: UInt32) {
    guard place(of: id) != nil else { return }
    places[Self.slot(of: id, on: directory[Int(id >> Self.pageShift)])] = 0
    count -= 1
  }

  /// Removes all rows but keeps the memory.
  ///
  /// - Complexity: O(rows)
  package mutating func removeAll() {
    for neighbourhood in neighbourhoods { directory[Int(neighbourhood)] = 0 }
    neighbourhoods.removeAll(keepingCapacity: true)
    places.removeAll(keepingCapacity: true)
    count = 0
  }

  /// Calls `body` with all rows and their places, in ascending order of the rows' numbers.
  package func forEach<E: Error>(
    _ body: (_ id: UInt32, _ place: UInt32) throws(E) -> Void
  ) throws(E) {
    for neighbourhood in neighbourhoods.sorted() {
      let first = neighbourhood << Self.pageShift
      for id in first...(first + UInt32(Self.pageSize - 1)) {
        if let place = place(of: id) { try body(id, place) }
      }
    }
  }

  @inline(__always)
  private static func slot(of id: UInt32, on page: UInt32) -> Int {
    Int(page - 1) << Int(pageShift) | Int(id) & (pageSize - 1)
  }

  /// Returns a neighbourhood's page number plus 1, creating the page if necessary.
  private mutating func page(of neighbourhood: UInt32) -> UInt32 {
    let missing = Int(neighbourhood) + 1 - directory.count
    if missing > 0 {
      directory.append(contentsOf: repeatElement(0, count: max(missing, directory.count)))
    }
    let page = directory[Int(neighbourhood)]
    guard page == 0 else { return page }
    neighbourhoods.append(neighbourhood)
    places.append(contentsOf: repeatElement(0, count: Self.pageSize))
    directory[Int(neighbourhood)] = UInt32(neighbourhoods.count)
    return UInt32(neighbourhoods.count)
  }
}

import LMDB

/// Where the rows of a layer lie, found by their numbers.
///
/// Places of neighbouring rows stand together on a page, and a directory knows each page's number:
/// so rows that are near each other are found near each other, and go in order by themselves.
///
/// - Complexity: O(1) each, amortized; its memory is four bytes for each row and a page for each
///   neighbourhood, and a quarter of a byte for each number up to the greatest.
package struct RowPlaces: Sendable {
  /// By neighbourhood, the number of its page plus 1, or 0.
  private var directory: [UInt32] = []
  /// The places plus 1, page behind page; 0 where nothing is.
  private var places: [UInt32] = []
  /// The neighbourhoods that have pages, in the order of these.
  private var neighbourhoods: [UInt32] = []
  /// How many rows it knows.
  package private(set) var count = 0

  /// How many rows are neighbours: two to this power.
  private static let pageShift: UInt32 = 4
  private static let pageSize = 1 << 4

  /// No rows.
  package init() {}

  /// The place of a row.
  @inline(__always)
  package func place(of id: UInt32) -> UInt32? {
    let neighbourhood = Int(id >> Self.pageShift)
    guard neighbourhood < directory.count, directory[neighbourhood] != 0 else { return nil }
    let place = places[Self.slot(of: id, on: directory[neighbourhood])]
    return place == 0 ? nil : place - 1
  }

  /// Has that part of the directory fetched that knows a row's neighbourhood.
  @inline(__always)
  func fetchDirectory(of id: UInt32) { directory.prefetch(Int(id >> Self.pageShift)) }

  /// Has a row's place fetched, where its neighbourhood has a page.
  @inline(__always)
  func fetchPlace(of id: UInt32) {
    let neighbourhood = Int(id >> Self.pageShift)
    guard neighbourhood < directory.count, directory[neighbourhood] != 0 else { return }
    places.prefetch(Self.slot(of: id, on: directory[neighbourhood]))
  }

  /// Notes where a row lies.
  package mutating func set(_ id: UInt32, _ place: UInt32) {
    precondition(id > 0, "0 is no row's number")
    let slot = Self.slot(of: id, on: page(of: id >> Self.pageShift))
    if places[slot] == 0 { count += 1 }
    places[slot] = place + 1
  }

  /// Forgets a row, where it knows it.
  package mutating func remove(_ id: UInt32) {
    guard place(of: id) != nil else { return }
    places[Self.slot(of: id, on: directory[Int(id >> Self.pageShift)])] = 0
    count -= 1
  }

  /// Forgets all rows, but keeps its memory.
  ///
  /// - Complexity: O(rows)
  package mutating func removeAll() {
    for neighbourhood in neighbourhoods { directory[Int(neighbourhood)] = 0 }
    neighbourhoods.removeAll(keepingCapacity: true)
    places.removeAll(keepingCapacity: true)
    count = 0
  }

  /// Calls `body` with all rows and places, in ascending order of the rows' numbers.
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

  /// The number plus 1 of a neighbourhood's page, which is made where there is none.
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

package import LMDB

/// What a person sees first: the first rows of the lists that were shown last, and their counts,
/// to be shown at once while the views are being opened, caught up or made anew.
///
/// It is a value; reading it from its file opens no environment. Everything in it is checked, so
/// that what a crash or a loss of power leaves of the file is shown whole or not at all. It is as
/// old as its positions say. See <doc:ViewsFormat>.
package struct FirstScreen: Hashable, Sendable {
  /// The name of the file.
  package static let file = "first-screen"
  /// The lists that there may be; of more, those set longest ago go.
  package static let entriesMax = 64
  /// The bytes that all lists may take together; of more, those set longest ago go.
  package static let bytesMax = 1 << 20

  /// Which list it is.
  package struct Key: Hashable, Sendable {
    /// The name of the view.
    package var view: String
    /// The hash of its canonical plan.
    package var plan: UInt64
    /// The text of the group; empty where the view has none.
    package var group: String

    /// The key of a list.
    package init(view: String, plan: UInt64, group: String = "") {
      self.view = view
      self.plan = plan
      self.group = group
    }
  }

  /// What is shown of a list.
  package struct Window: Hashable, Sendable {
    /// The first rows, in the bytes that whoever gave them reads.
    package var rows: [[UInt8]]
    /// How many rows the whole list has.
    package var count: Int
    /// How far the views went.
    package var applied: Applied
    /// The generation of the views.
    package var generation: UInt64
    /// What the group is known by in them; 0 where the view has none.
    package var group: UInt64

    /// The window of these rows.
    package init(
      rows: [[UInt8]], count: Int, applied: Applied, generation: UInt64 = 0, group: UInt64 = 0
    ) {
      self.rows = rows
      self.count = count
      self.applied = applied
      self.generation = generation
      self.group = group
    }
  }

  /// A list with the bytes that it is kept as.
  struct Entry: Hashable, Sendable {
    let key: Key
    let window: Window
    let bytes: [UInt8]
  }

  /// The store that it is of.
  package let store: StoreID
  /// The copy of the store that it is of.
  package let incarnation: StoreID
  /// The lists, those set longest ago first.
  private(set) var entries: [Entry] = []
  private(set) var byteCount = 0

  /// A screen of a store, with nothing to show.
  package init(store: StoreID, incarnation: StoreID) {
    self.store = store
    self.incarnation = incarnation
  }

  /// Whether there is nothing to show.
  package var isEmpty: Bool { entries.isEmpty }

  /// The lists that there are, those set longest ago first.
  package var keys: [Key] { entries.map(\.key) }

  /// What is shown of a list.
  ///
  /// - Complexity: O(*n*) in the number of lists, which is small.
  package subscript(key: Key) -> Window? { entries.first { $0.key == key }?.window }

  /// Sets what is shown of a list.
  ///
  /// Others go where there are too many or too large, beginning with those set longest ago. Says
  /// whether it was set: not where it alone is over the limit; then what was shown of it goes.
  @discardableResult
  package mutating func set(_ window: Window, for key: Key) -> Bool {
    remove(key)
    let entry = Entry(key: key, window: window)
    guard entry.bytes.count <= Self.bytesMax else { return false }
    append(entry)
    while entries.count > Self.entriesMax || byteCount > Self.bytesMax {
      byteCount -= entries.removeFirst().bytes.count
    }
    return true
  }

  /// Shows nothing of a list any more.
  package mutating func remove(_ key: Key) {
    guard let index = entries.firstIndex(where: { $0.key == key }) else { return }
    byteCount -= entries.remove(at: index).bytes.count
  }

  /// Adds a list behind all others; there must be none of its key.
  mutating func append(_ entry: Entry) {
    byteCount += entry.bytes.count
    entries.append(entry)
  }

  /// The screen that a views' folder has for a store: one with nothing to show, where there is
  /// none, it is of another store, or it can't be read.
  ///
  /// - Complexity: O(*n*) in its bytes, of which there are few.
  package static func read(
    in folder: Folder, store: StoreID, incarnation: StoreID
  ) -> FirstScreen {
    let empty = FirstScreen(store: store, incarnation: incarnation)
    guard let bytes = try? folder.bytes(of: file, limit: fileBytesMax) else { return empty }
    let found = FirstScreen(bytes.raw)
    return found?.store == store && found?.incarnation == incarnation ? found ?? empty : empty
  }

  /// Becomes the screen of a views' folder, all at once; the file goes where there is nothing to
  /// show, as it does when somebody logs out.
  ///
  /// It is not flushed: after a loss of power there may be none.
  package func write(in folder: Folder) throws(LMDBError) {
    guard !isEmpty else { return try folder.remove(Self.file) }
    try folder.replace(Self.file, with: bytes)
  }
}

package import LMDB
import Synchronization

/// The first rows and the counts of the lists shown most recently, to be shown at once while the
/// views are being opened, caught up or rebuilt.
///
/// A screen is a value; reading it from its file opens no environment. All content is verified, so
/// that after a crash or a power loss, each list is shown intact or not at all. The content is as
/// old as its positions indicate. See <doc:ViewsFormat>.
package struct FirstScreen: Hashable, Sendable {
  /// The name of the file.
  package static let file = "first-screen"
  /// The maximum number of lists; beyond it, those set longest ago are removed.
  package static let entriesMax = 64
  /// The maximum total size of the lists in bytes; beyond it, those set longest ago are removed.
  package static let bytesMax = 1 << 20

  /// The identity of a list.
  package struct Key: Hashable, Sendable {
    /// The name of the view.
    package var view: String
    /// The hash of the view's canonical plan.
    package var plan: UInt64
    /// The group's text; empty if the view has no groups.
    package var group: String

    /// Creates the key of a list.
    package init(view: String, plan: UInt64, group: String = "") {
      self.view = view
      self.plan = plan
      self.group = group
    }
  }

  /// The part of a list that is shown.
  package struct Window: Hashable, Sendable {
    /// The first rows, in an encoding known to the caller that supplies them.
    package var rows: [[UInt8]]
    /// The number of rows in the whole list.
    package var count: Int
    /// The last record applied to the views.
    package var applied: LogPoint
    /// The number of the views' generation.
    package var generation: UInt64
    /// The id of the group in those views; 0 if the view has no groups.
    package var group: UInt64

    /// Creates a window of rows.
    package init(
      rows: [[UInt8]], count: Int, applied: LogPoint, generation: UInt64 = 0, group: UInt64 = 0
    ) {
      self.rows = rows
      self.count = count
      self.applied = applied
      self.generation = generation
      self.group = group
    }
  }

  /// A list with its encoded bytes.
  struct Entry: Hashable, Sendable {
    let key: Key
    let window: Window
    let bytes: [UInt8]
  }

  /// The store that the screen belongs to.
  package let store: StoreID
  /// The copy of the store that the screen belongs to.
  package let incarnation: StoreID
  /// The lists, ordered from the one set longest ago.
  private(set) var entries: [Entry] = []
  private(set) var byteCount = 0

  /// Creates an empty screen of a store.
  package init(store: StoreID, incarnation: StoreID) {
    self.store = store
    self.incarnation = incarnation
  }

  /// Whether the screen shows nothing.
  package var isEmpty: Bool { entries.isEmpty }

  /// The keys of the lists, ordered from the one set longest ago.
  package var keys: [Key] { entries.map(\.key) }

  /// The window shown of a list.
  ///
  /// - Complexity: O(*n*) in the number of lists, which is small.
  package subscript(key: Key) -> Window? { entries.first { $0.key == key }?.window }

  /// Sets the window shown of a list.
  ///
  /// If this exceeds a limit, other lists are removed, starting with those set longest ago. Returns
  /// whether the window was set: a window over the limit by itself is not, and the list is removed.
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

  /// Removes a list.
  package mutating func remove(_ key: Key) {
    guard let index = entries.firstIndex(where: { $0.key == key }) else { return }
    byteCount -= entries.remove(at: index).bytes.count
  }

  /// Appends a list, whose key must not be present.
  mutating func append(_ entry: Entry) {
    byteCount += entry.bytes.count
    entries.append(entry)
  }

  /// Returns the screen that a views folder has for a store; an empty one if it is missing,
  /// unreadable, or belongs to another store.
  ///
  /// - Complexity: O(*n*) in its bytes, which are few.
  package static func read(
    in folder: Folder, store: StoreID, incarnation: StoreID
  ) -> FirstScreen {
    let empty = FirstScreen(store: store, incarnation: incarnation)
    guard let bytes = try? folder.bytes(of: file, limit: fileBytesMax) else { return empty }
    let found = FirstScreen(bytes.raw)
    return found?.store == store && found?.incarnation == incarnation ? found ?? empty : empty
  }

  /// Atomically replaces the screen in a views folder; removes the file if the screen is empty, as
  /// on logout.
  ///
  /// The file is not flushed, so it may be lost in a power failure.
  package func write(in folder: Folder) throws(LMDBError) {
    guard !isEmpty else { return try folder.remove(Self.file) }
    try folder.replace(Self.file, with: bytes)
  }

  /// The turns of those in this process who change or remove a screen's file.
  private static let turn = Mutex(())

  /// Changes the screen in a folder, or a new one if there is none, if `body` returns `true`.
  ///
  /// - Complexity: O(*n*) in its bytes, which are few.
  static func change(
    in folder: Folder, store: StoreID, incarnation: StoreID, _ body: (inout FirstScreen) -> Bool
  ) throws(LMDBError) {
    try turn.withLock { _ throws(LMDBError) in
      var screen = read(in: folder, store: store, incarnation: incarnation)
      if body(&screen) { try screen.write(in: folder) }
    }
  }

  /// Removes the screen in a folder, if there is one; none of its lists is there again before it is
  /// shown again.
  static func remove(in folder: Folder) throws(LMDBError) {
    try turn.withLock { _ throws(LMDBError) in try folder.remove(file) }
  }
}

package import LMDB

/// The small file that identifies the current generation of the views and its origin.
///
/// The file is replaced as a whole, and flushed only if the log may contain a stamp for it: after a
/// power loss, the views are trusted by the stamp alone. Without one, a pointer that is restored
/// old, torn or empty costs no more than the rebuild that is due anyway. See <doc:ViewsFormat>.
package struct ViewsPointer: Hashable, Sendable {
  /// The name of the file.
  package static let file = "current"

  /// The number of the generation.
  package var generation: UInt64
  /// The recipe that the views were made by.
  package var recipe: Recipe
  /// The store that the views belong to.
  package var store: StoreID
  /// The copy of the store that the views belong to.
  package var incarnation: StoreID
  /// The boot of the machine in which the views were last written to, if known.
  package var boot: Boot?
  /// The identity of the generation's data file.
  package var data: File.Identity

  /// Creates a pointer from its parts.
  package init(
    generation: UInt64, recipe: Recipe, store: StoreID, incarnation: StoreID, boot: Boot?,
    data: File.Identity
  ) {
    self.generation = generation
    self.recipe = recipe
    self.store = store
    self.incarnation = incarnation
    self.boot = boot
    self.data = data
  }
}

extension ViewsPointer {
  /// The number of bytes in a pointer.
  package static let byteCount = 104
  private static let seal = Seal(magic: "tideview", format: 1)

  /// The encoded pointer.
  package var bytes: [UInt8] {
    var body: [UInt8] = []
    body.append(littleEndian: generation)
    body.append(littleEndian: recipe.definitions)
    body.append(littleEndian: recipe.reducers)
    body += store.bytes
    body += incarnation.bytes
    body.append(littleEndian: boot?.id ?? 0)
    body.append(littleEndian: data.device)
    body.append(littleEndian: data.inode)
    return Self.seal.bytes(sealing: body)
  }

  /// Decodes a pointer; `nil` if the bytes are not those of an intact pointer.
  package init?(_ bytes: RawSpan) {
    guard bytes.byteCount == Self.byteCount, Self.seal.isWhole(bytes) else { return nil }
    func word(_ offset: Int) -> UInt64 { bytes.integer(UInt64.self, at: offset) }
    self.init(
      generation: word(16), recipe: Recipe(definitions: word(24), reducers: word(32)),
      store: StoreID(low: word(40), high: word(48)),
      incarnation: StoreID(low: word(56), high: word(64)),
      boot: Boot(id: bytes.integer(UInt128.self, at: 72)),
      data: File.Identity(device: word(88), inode: word(96)))
  }

  /// Returns the pointer of a views folder; `nil` if it is missing or unreadable.
  package static func read(in folder: Folder) throws(LMDBError) -> ViewsPointer? {
    try folder.bytes(of: file, limit: byteCount).flatMap { ViewsPointer($0.raw) }
  }

  /// Atomically replaces the pointer in a views folder.
  package func write(in folder: Folder) throws(LMDBError) {
    try folder.replace(Self.file, with: bytes)
  }
}

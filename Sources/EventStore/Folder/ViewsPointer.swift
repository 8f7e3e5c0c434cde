package import LMDB

/// The small file that says which generation of the views is the current one, and what it is of.
///
/// It is replaced as a whole, and flushed only where the log may have given its stamp: after a loss
/// of power the views are trusted by that alone. Without it a pointer that comes back old, torn or
/// empty costs no more than the rebuild that is due anyway.
/// See <doc:ViewsFormat>.
package struct ViewsPointer: Hashable, Sendable {
  /// The name of the file.
  package static let file = "current"

  /// The generation.
  package var generation: UInt64
  /// What it was made by.
  package var recipe: Recipe
  /// The store that it is of.
  package var store: StoreID
  /// The copy of the store that it is of.
  package var incarnation: StoreID
  /// The machine's run in which it was last written to, where the system told.
  package var boot: Boot?
  /// Its data file.
  package var data: File.Identity

  /// A pointer of these parts.
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
  /// The bytes that it takes.
  package static let byteCount = 104
  private static let seal = Seal(magic: "tideview", format: 1)

  /// The bytes it is kept as.
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

  /// Reads the bytes again; `nil` where they are not a pointer's, whole.
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

  /// The pointer of a views' folder; `nil` where there is none that can be read.
  package static func read(in folder: Folder) throws(LMDBError) -> ViewsPointer? {
    try folder.bytes(of: file, limit: byteCount).flatMap { ViewsPointer($0.raw) }
  }

  /// Becomes the pointer of a views' folder, all at once.
  package func write(in folder: Folder) throws(LMDBError) {
    try folder.replace(Self.file, with: bytes)
  }
}

/// The inputs that determine views: another recipe makes other views of the same log.
package struct Recipe: Hashable, Sendable {
  /// A hash of the canonical plans of all views.
  package var definitions: UInt64
  /// The version of the reducers and of the encodings of rows and indexes.
  package var reducers: UInt64

  /// Creates a recipe from its parts.
  package init(definitions: UInt64, reducers: UInt64) {
    self.definitions = definitions
    self.reducers = reducers
  }

  /// Creates a recipe from the views' definitions and the version of the reducers.
  init(definitions: UInt64, reducerVersion: Int) {
    let version = UInt64(bitPattern: Int64(reducerVersion))
    self.init(definitions: definitions, reducers: version << 16 | UInt64(ViewsMeta.format))
  }

  /// The version of the reducers alone.
  package var reducerVersion: Int { Int(Int64(bitPattern: reducers) >> 16) }
}

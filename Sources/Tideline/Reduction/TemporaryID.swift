/// The ids that this engine assigns to objects without a server id.
package enum TemporaryID {
  /// The common prefix of these ids.
  package static let prefix = "local-"

  /// Returns whether an id has the prefix, compared by bytes.
  package static func begins(_ id: String) -> Bool { id.utf8.starts(with: prefix.utf8) }
}

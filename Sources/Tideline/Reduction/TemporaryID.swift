/// The ids that this engine assigns to objects without a server id.
package enum TemporaryID {
  /// The common prefix of these ids.
  package static let prefix = "local-"
}

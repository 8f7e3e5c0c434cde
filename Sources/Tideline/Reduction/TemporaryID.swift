/// The ids that this engine gives to what no server has named yet.
package enum TemporaryID {
  /// What they begin with.
  package static let prefix = "local-"
}

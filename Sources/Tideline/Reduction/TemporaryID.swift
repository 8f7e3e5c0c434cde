/// The ids that this engine gives to what no server has named yet.
enum TemporaryID {
  /// What they begin with.
  static let prefix = "local-"
}

extension String {
  /// The text, or `nil` where it is empty: who looks sees nothing of it.
  package var nonempty: String? { isEmpty ? nil : self }
}

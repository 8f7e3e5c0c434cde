extension String {
  /// The text, or `nil` if it is empty and thus shows nothing.
  package var nonempty: String? { isEmpty ? nil : self }
}

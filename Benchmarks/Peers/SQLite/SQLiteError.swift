/// What SQLite refused.
package struct SQLiteError: Error, CustomStringConvertible {
  /// SQLite's own result code.
  package let code: CInt
  package let description: String
}

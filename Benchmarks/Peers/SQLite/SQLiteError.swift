/// An error of SQLite.
package struct SQLiteError: Error, CustomStringConvertible {
  /// The result code of SQLite.
  package let code: CInt
  package let description: String
}

/// Why bytes could not be read as JSON.
package enum JSONError: Error, Hashable {
  /// The bytes end within a value.
  case cutOff
  /// The byte at this offset is unexpected.
  case malformed(at: Int)
  /// Objects and arrays are nested deeper than ``JSONValue/nestingLimit``.
  case nestedTooDeep
}

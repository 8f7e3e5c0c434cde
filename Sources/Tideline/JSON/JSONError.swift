/// Why bytes could not be read as JSON.
package enum JSONError: Error, Hashable {
  /// The bytes end within a value.
  case cutOff
  /// The byte at this offset is not what may follow.
  case malformed(at: Int)
  /// Objects and arrays lie within each other deeper than ``JSONValue/nestingLimit``.
  case nestedTooDeep
}

import LMDB

/// Bytes of payloads, for modules that don't see the one below this.
extension PayloadReader.Field {
  /// The bytes of the fields within, as those of a payload of their own.
  package var payload: RawSpan {
    @_lifetime(copy self)
    get throws(PayloadError) {
      _ = try fields
      return content
    }
  }
}

extension [UInt8] {
  /// The bytes of a payload, borrowed.
  package var payloadBytes: RawSpan {
    @_lifetime(borrow self) get { raw }
  }

  /// Appends a copy of bytes of a payload.
  package mutating func append(payload bytes: RawSpan) { append(copying: bytes) }
}

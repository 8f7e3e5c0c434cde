import LMDB

/// Bytes of payloads, for modules that don't see the underlying module.
extension PayloadReader.Field {
  /// The bytes of the nested fields, as a payload of their own.
  package var payload: RawSpan {
    @_lifetime(copy self)
    get throws(PayloadError) {
      _ = try fields
      return content
    }
  }
}

extension [UInt8] {
  /// The borrowed bytes of a payload.
  package var payloadBytes: RawSpan {
    @_lifetime(borrow self) get { raw }
  }

  /// Appends a copy of a payload's bytes.
  package mutating func append(payload bytes: RawSpan) { append(copying: bytes) }

  /// Appends the `headCount` lowest bytes of an integer, lowest first, and a copy of a payload's
  /// bytes.
  package mutating func append(_ head: UInt64, _ headCount: Int, payload bytes: RawSpan) {
    append(head, headCount, copying: bytes)
  }
}

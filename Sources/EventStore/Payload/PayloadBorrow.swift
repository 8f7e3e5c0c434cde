import LMDB

extension [UInt8] {
  /// The bytes of a payload, borrowed, for modules that don't see the one below this.
  package var payloadBytes: RawSpan {
    @_lifetime(borrow self) get { raw }
  }
}

import EventStore
import Testing
import Tideline

/// An event of an older version is read as its current equivalent.
@Suite struct UpcastTests {
  /// An event that once stored seconds in field 1, then milliseconds in field 2.
  private struct Waited: FieldedEvent {
    static let kind = EventKind(rawValue: 0x0FFF)
    static let version: UInt8 = 3

    var wait: Int64 = 0

    init() {}

    mutating func code<Coder: EventCoder & ~Copyable & ~Escapable>(
      _ coder: inout Coder
    ) throws(Coder.Failure) {
      try coder.code(3, "wait", &wait)
    }

    static func upcast(_ fields: inout PayloadFields, from version: UInt8) throws(EventError) {
      guard case .integer(let wait)? = fields[Int(version)] else { throw EventError(.missing) }
      fields[Int(version)] = nil
      fields[Int(version) + 1] = .integer(version == 1 ? wait * 1000 : wait)
    }
  }

  private func wait(_ fields: PayloadFields, version: UInt8) throws(EventError) -> Int64 {
    try Waited(decoding: fields.encoded.span.bytes, version: version).wait
  }

  @Test func olderVersions_areReadStepByStep() throws {
    #expect(try wait([1: .integer(2)], version: 1) == 2000)
    #expect(try wait([2: .integer(2)], version: 2) == 2)
    #expect(try wait([3: .integer(2)], version: 3) == 2)
  }

  /// Decoding skips the value of a retired field.
  @Test func retiredFields_areSkipped() throws {
    let login = LoggedIn { $0.person = "alice" }
    var fields = try PayloadFields(decoding: login.payload.span.bytes)
    fields[4] = .boolean(true)
    #expect(try LoggedIn(decoding: fields.encoded.span.bytes, version: 1) == login)
    let logout = LoggedOut { $0.pending = .hold }
    fields = try PayloadFields(decoding: logout.payload.span.bytes)
    fields[3] = .boolean(true)
    #expect(try LoggedOut(decoding: fields.encoded.span.bytes, version: 1) == logout)
  }

  @Test func otherVersions_areRefused() {
    #expect(throws: EventError(.unknownVersion(4, last: 3), kind: Waited.kind)) {
      try wait([3: .integer(2)], version: 4)
    }
    #expect(throws: EventError(.unknownVersion(0, last: 3), kind: Waited.kind)) {
      try wait([3: .integer(2)], version: 0)
    }
    #expect(throws: EventError(.missing, kind: Waited.kind)) { try wait([:], version: 1) }
  }
}

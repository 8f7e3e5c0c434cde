/// Restoring payloads from their JSON in an ``ExportFormat``.
extension ExportScanner {
  /// Appends the bytes of a payload.
  mutating func appendPayload(to payload: inout [UInt8]) throws(Fault) {
    if takeObject(named: "base64") {
      try appendBase64(to: &payload)
      return try expect("}")
    }
    try appendFields(to: &payload, depth: 0)
  }

  private mutating func appendFields(to payload: inout [UInt8], depth: Int) throws(Fault) {
    guard depth <= PayloadFormat.nestingLimit else { throw Fault("values are nested too deeply") }
    try expect("{")
    var (isFirst, last) = (true, 0 as UInt64)
    while try hasNext(&isFirst, before: "}") {
      try expect("\"")
      let number = try number()
      try expect("\"")
      try expect(":")
      guard number > last, number <= UInt64(PayloadFormat.fieldNumberLimit) else {
        throw Fault("field \(number) is out of order")
      }
      last = number
      try appendValue(to: &payload, as: Int(number), depth: depth)
    }
  }

  private mutating func appendValue(
    to payload: inout [UInt8], as number: Int, depth: Int
  ) throws(Fault) {
    switch peek() {
    case UInt8(ascii: "\""): try appendText(to: &payload, as: number)
    case UInt8(ascii: "{"): try appendObject(to: &payload, as: number, depth: depth)
    case UInt8(ascii: "["):
      payload.append(tag: number, .list)
      try nest(&payload) { scanner, payload throws(Fault) in
        try scanner.appendItems(to: &payload, depth: depth + 1)
      }
    case UInt8(ascii: "n"):
      try expect(word: "null")
      payload.append(tag: number, .null)
    case UInt8(ascii: "t"), UInt8(ascii: "f"): payload.append(try boolean(), as: number)
    default: payload.append(try signed(), as: number)
    }
  }

  private mutating func appendText(to payload: inout [UInt8], as number: Int) throws(Fault) {
    payload.append(tag: number, .text)
    try nest(&payload) { scanner, payload throws(Fault) in try scanner.appendText(to: &payload) }
  }

  private mutating func appendObject(
    to payload: inout [UInt8], as number: Int, depth: Int
  ) throws(Fault) {
    if takeObject(named: "base64") {
      payload.append(tag: number, .bytes)
      try nest(&payload) { scanner, payload throws(Fault) in
        try scanner.appendBase64(to: &payload)
      }
      return try expect("}")
    }
    if takeObject(named: "double") {
      payload.append(Double(bitPattern: try quotedHex(digits: 16)), as: number)
      return try expect("}")
    }
    payload.append(tag: number, .fields)
    try nest(&payload) { scanner, payload throws(Fault) in
      try scanner.appendFields(to: &payload, depth: depth + 1)
    }
  }

  private mutating func appendItems(to payload: inout [UInt8], depth: Int) throws(Fault) {
    guard depth <= PayloadFormat.nestingLimit else { throw Fault("values are nested too deeply") }
    try expect("[")
    var isFirst = true
    while try hasNext(&isFirst, before: "]") {
      try appendValue(to: &payload, as: 0, depth: depth)
    }
  }

  /// Calls `body` to append a content, and inserts its length before it.
  private mutating func nest(
    _ payload: inout [UInt8],
    _ body: (inout ExportScanner, inout [UInt8]) throws(Fault) -> Void
  ) throws(Fault) {
    let start = payload.count
    payload.append(0)
    try body(&self, &payload)
    payload.fillLength(at: start)
  }
}

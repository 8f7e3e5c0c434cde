import TidelineHTTP

/// A file received in a form (RFC 7578).
struct UploadedFile {
  /// The name of the file.
  private(set) var name = ""
  /// The type that the client gives.
  private(set) var type: String?
  /// The content of the file.
  private(set) var content: [UInt8] = []

  /// Reads the first file of a form.
  init(_ request: HTTPRequest) throws(Refusal) {
    guard let type = request.header("content-type"), type.hasPrefix("multipart/form-data"),
      let boundary = Self.parameter("boundary", of: type), !boundary.isEmpty
    else { throw .invalid("The body is no form") }
    let body = request.body ?? []
    let line = Array("--\(boundary)".utf8)
    guard let start = body.firstRange(of: line),
      let end = body[start.upperBound...].firstRange(of: Array("\r\n".utf8) + line)
    else { throw .invalid("The form has no part") }
    let part = body[start.upperBound..<end.lowerBound].dropFirst(2)
    guard let blank = part.firstRange(of: Array("\r\n\r\n".utf8)) else {
      throw .invalid("The part has no head")
    }
    content = Array(part[blank.upperBound...])
    try read(head: String(decoding: part[..<blank.lowerBound], as: UTF8.self))
  }

  private mutating func read(head: String) throws(Refusal) {
    var name: String?
    for line in head.split(separator: "\r\n") {
      let halves = line.split(separator: ":", maxSplits: 1)
      let value = halves.count > 1 ? String(halves[1].drop { $0 == " " }) : ""
      switch halves.first?.lowercased() {
      case "content-disposition": name = Self.parameter("filename", of: value)
      case "content-type": type = value
      default: break
      }
    }
    guard let name else { throw .invalid("The part is no file") }
    let unquoted = name.unicodeScalars.replacing("%22".unicodeScalars, with: "\"".unicodeScalars)
    self.name = String(unquoted).replacing("%0D", with: "\r").replacing("%0A", with: "\n")
  }

  /// Returns a parameter after the value of a header field, with or without quotes.
  private static func parameter(_ name: String, of value: String) -> String? {
    guard
      let place = value.ranges(of: "\(name)=").first(where: { range in
        value[..<range.lowerBound].last.map { $0 == " " || $0 == ";" } ?? false
      })
    else { return nil }
    let rest = value[place.upperBound...].unicodeScalars
    guard rest.first == "\"" else { return String(rest.prefix { $0 != ";" }) }
    return String(rest.dropFirst().prefix { $0 != "\"" })
  }
}

extension HTTPRequest {
  /// Returns the value of a header field, given its name in lowercase.
  func header(_ name: String) -> String? {
    headers.first { $0.name.lowercased() == name }?.value
  }
}

import Foundation
import TidelineSync

/// How a token is put into the head of a request.
public enum Authorization: Sendable, Hashable {
  /// As the user name of the Basic scheme, without a password.
  case userName
  /// By the Bearer scheme.
  case bearer

  /// Returns the header field that carries a token.
  func header(_ token: Token) -> HTTPRequest.Header {
    let value =
      switch self {
      case .userName: "Basic \(Data("\(token.value):".utf8).base64EncodedString())"
      case .bearer: "Bearer \(token.value.visible)"
      }
    return HTTPRequest.Header("Authorization", value)
  }
}

extension String {
  /// The text without spaces and control characters, such as a line end, which would end the field.
  fileprivate var visible: String {
    String(String.UnicodeScalarView(unicodeScalars.filter { $0.value > 0x20 && $0.value != 0x7F }))
  }
}

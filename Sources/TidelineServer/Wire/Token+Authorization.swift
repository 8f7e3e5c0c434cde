import Foundation
import Tideline
import TidelineSync

extension Token {
  /// Reads an `Authorization` field: the user name of Basic, or the token of Bearer.
  init?(authorization value: String) {
    let parts = value.split(separator: " ", maxSplits: 1)
    guard parts.count == 2 else { return nil }
    switch parts[0].lowercased() {
    case "bearer": self.init(String(parts[1]))
    case "basic":
      guard let data = Data(base64Encoded: String(parts[1])),
        let text = String(validating: data, as: UTF8.self)
      else { return nil }
      self.init(String(text.prefix { $0 != ":" }))
    default: return nil
    }
  }
}

import Foundation
import Tideline
import TidelineSync

extension ServerFilter {
  /// The parameter of the Inbox API that says it of objects of a class, if there is one.
  ///
  /// The API counts moments in whole seconds. The last message of a thread is behind one and before
  /// another; a message is behind one, and not behind another.
  func parameter(of objectClass: ObjectClass) -> (name: String, value: String)? {
    let isThread = objectClass == .thread
    switch self {
    case .tag(let tag): return ("tag", tag)
    case .unread(let flag): return ("unread", "\(flag)")
    case .starred(let flag): return ("starred", "\(flag)")
    case .thread(let id): return ("thread_id", id)
    case .address(let addresses): return ("any_email", addresses.joined(separator: ","))
    case .since(let date):
      let second = date.seconds(.up) - 1
      return second < 0
        ? nil : (isThread ? "last_message_after" : "received_after", "\(second)")
    case .until(let date):
      let second = max(date.seconds(.down) + (isThread ? 1 : 0), 0)
      return (isThread ? "last_message_before" : "received_before", "\(second)")
    }
  }

  /// By what the API filters lists of a class; `nil` for a class that it has no lists of.
  static var kindsOfAPI: [ObjectClass: Set<Kind>] {
    [
      .thread: [.tag, .unread, .starred, .address, .since, .until],
      .message: [.unread, .starred, .thread, .since, .until],
      .draft: [], .tag: [], .contact: [], .file: [],
    ]
  }
}

extension Date {
  /// The whole seconds since 1970; of what is beyond the year 9999 those until then.
  fileprivate func seconds(_ rule: FloatingPointRoundingRule) -> Int64 {
    Int64(min(max(timeIntervalSince1970, -1), 253_402_300_799).rounded(rule))
  }
}

import Foundation
import Tideline
import TidelineSync

extension ServerFilter {
  /// Returns the parameter with which the Inbox API filters objects of a class, if there is one.
  ///
  /// The API counts in whole seconds. For threads both limits are exclusive; for messages the lower
  /// limit is exclusive and the upper one inclusive.
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

  /// The filters that the API offers for the lists of each class; `nil` for a class without lists.
  static var kindsOfAPI: [ObjectClass: Set<Kind>] {
    [
      .thread: [.tag, .unread, .starred, .address, .since, .until],
      .message: [.unread, .starred, .thread, .since, .until],
      .draft: [], .tag: [], .contact: [], .file: [],
    ]
  }
}

extension Date {
  /// Returns the whole seconds since 1970, clamped to the years up to 9999.
  fileprivate func seconds(_ rule: FloatingPointRoundingRule) -> Int64 {
    let time = timeIntervalSince1970
    return time.isNaN ? 0 : Int64(min(max(time, -1), 253_402_300_799).rounded(rule))
  }
}

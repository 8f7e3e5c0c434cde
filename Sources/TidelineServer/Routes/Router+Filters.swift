import EventStore
import Foundation
import Tideline
import TidelineSync

/// List filters, as given by parameters.
extension Router {
  /// Returns the names of the parameters that filter objects of a class.
  static func filterNames(of objectClass: ObjectClass) -> Set<String> {
    switch objectClass {
    case .thread:
      ["tag", "unread", "starred", "any_email", "last_message_after", "last_message_before"]
    case .message: ["unread", "starred", "thread_id", "received_after", "received_before"]
    default: []
    }
  }

  /// Returns the filters of a request.
  static func filters(in target: RequestTarget) throws(Refusal) -> [ServerFilter] {
    try target.expectFlags(["unread", "starred"])
    var filters: [ServerFilter] = []
    if let tag = target["tag"] { filters.append(.tag(tag)) }
    if let flag = target["unread"] { filters.append(.unread(flag == "true")) }
    if let flag = target["starred"] { filters.append(.starred(flag == "true")) }
    if let id = target["thread_id"] { filters.append(.thread(id)) }
    if let list = target["any_email"] {
      filters.append(.address(list.split(separator: ",").map(String.init)))
    }
    for (name, offset, isEarliest) in [
      ("last_message_after", 1, true), ("received_after", 1, true),
      ("last_message_before", -1, false), ("received_before", 0, false),
    ] where target[name] != nil {
      let seconds = try target.number(name, in: 0...Self.secondsMax, else: 0) + offset
      let date = Date(timeIntervalSince1970: Double(seconds))
      filters.append(isEarliest ? .since(date) : .until(date))
    }
    return filters
  }

  /// The last second of the year 9999.
  private static let secondsMax = 253_402_300_799
}

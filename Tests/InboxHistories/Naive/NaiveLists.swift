package import EventStore
import Foundation
import Tideline

/// The lists that are not empty, each with its order keys and ids.
///
/// Objects with equal keys are sorted by id, because their order is unspecified.
package typealias InboxLists = [ListName: [String]]

/// The intended content of a view that every inbox has: which objects are in which of its lists,
/// and in what order.
struct NaiveView {
  /// Returns the view's lists for the objects of a picture.
  let lists: (InboxPicture) -> InboxLists
  /// Returns the same lists from a replay, which is asked for all lists that objects of a picture
  /// might be in.
  let shown: (Replay, InboxPicture) throws -> InboxLists

  /// A view of objects.
  ///
  /// - Parameters:
  ///   - groups: The groups of an object, for lists within an account; `nil` for one list for each
  ///     account.
  ///   - order: The sort key; smaller keys come first.
  ///   - isIn: Whether an object is in a list at all.
  init<Object: Model, Order: Comparable>(
    _ view: String, _ objects: KeyPath<InboxPicture, [String: Object]>,
    groups: ((Object) -> Set<String>)? = nil, by order: @escaping (Object) -> Order,
    where isIn: @escaping (Object) -> Bool = { _ in true }
  ) {
    func names(_ object: Object) -> [ListName] {
      let account = Int64(object.account)
      guard let groups else { return [ListName(view, group: .number(account))] }
      return groups(object).map { ListName(view, group: .text($0), scope: account) }
    }
    lists = { picture in
      var lists: [ListName: [Object]] = [:]
      for object in picture[keyPath: objects].values where isIn(object) {
        for name in names(object) { lists[name, default: []].append(object) }
      }
      return lists.mapValues { Self.lines($0.sorted { order($0) < order($1) }, order) }
    }
    shown = { replay, picture in
      var lists: InboxLists = [:]
      for name in Set(picture[keyPath: objects].values.flatMap(names)) {
        let rows = try replay.rows(of: name, in: 0...)
        if !rows.isEmpty { lists[name] = Self.lines(rows.compactMap { Object($0) }, order) }
      }
      return lists
    }
  }

  /// Returns the lines of a list, in its order.
  private static func lines<Object: Model, Order: Comparable>(
    _ objects: [Object], _ order: (Object) -> Order
  ) -> [String] {
    var (lines, level): ([String], [String]) = ([], [])
    for (index, object) in objects.enumerated() {
      level.append("\(order(object)): \(object.id)")
      guard index + 1 == objects.count || order(objects[index + 1]) != order(object) else {
        continue
      }
      lines += level.sorted()
      level = []
    }
    return lines
  }
}

extension NaiveView {
  /// All views of objects that every inbox has.
  static var all: [NaiveView] { mail + rich + others }

  private static func date(_ date: Date) -> Int64 { date.kept.rawValue }

  private static var mail: [NaiveView] {
    [
      NaiveView(
        InboxViews.threadsByTag, \.threads, groups: \.tagIDs, by: { -date($0.effectiveDate) }),
      NaiveView(
        InboxViews.unreadInbox, \.threads, by: { -date($0.effectiveDate) },
        where: { $0.tagIDs.isSuperset(of: ["inbox", "unread"]) }),
      NaiveView(
        InboxViews.messagesOfThread, \.messages, groups: { Set([$0.threadID].compactMap(\.self)) },
        by: { date($0.effectiveDate) }),
      NaiveView(
        InboxViews.unreadMessages, \.messages, by: { -date($0.effectiveDate) }, where: \.isUnread),
      NaiveView(
        InboxViews.messagesByTag, \.messages, groups: \.tagIDs, by: { -date($0.effectiveDate) }),
      NaiveView(
        InboxViews.messagesByAddress, \.messages, groups: \.addresses,
        by: { -date($0.effectiveDate) }),
      NaiveView(InboxViews.drafts, \.drafts, by: { -date($0.effectiveDate) }),
    ]
  }

  private static var rich: [NaiveView] {
    [
      NaiveView(
        InboxViews.allRich, \.rich, by: { -date($0.effectiveDate) },
        where: { $0.isActive && !$0.isDeleted }),
      NaiveView(
        InboxViews.unreadRich, \.rich, by: { -date($0.effectiveDate) },
        where: { $0.isActive && !$0.isDeleted && !$0.isRead }),
      NaiveView(
        InboxViews.readRich, \.rich, by: { -date($0.effectiveDate) },
        where: { $0.isActive && !$0.isDeleted && $0.isRead }),
      NaiveView(
        InboxViews.deletedRich, \.rich, by: { -date($0.effectiveDate) },
        where: { $0.isActive && $0.isDeleted }),
    ]
  }

  private static var others: [NaiveView] {
    [
      NaiveView(InboxViews.contacts, \.contacts, by: \.foldedName),
      NaiveView(
        InboxViews.contactsByAddress, \.contacts, groups: { [$0.foldedEmail.text] },
        by: \.foldedName),
      NaiveView(InboxViews.tags, \.tags, by: \.foldedName),
      NaiveView(InboxViews.files, \.files, by: \.foldedFilename),
    ]
  }
}

extension InboxPicture {
  /// The lists of the picture's objects.
  var lists: InboxLists {
    NaiveView.all.reduce(into: [:]) { $0.merge($1.lists(self)) { first, _ in first } }
  }

  /// Returns the differences between lists, as lines.
  static func differences(_ mine: InboxLists, from others: InboxLists) -> [String] {
    Set(mine.keys).union(others.keys).filter { mine[$0] != others[$0] }
      .map { "\($0): \(mine[$0] ?? []), there \(others[$0] ?? [])" }.sorted()
  }
}

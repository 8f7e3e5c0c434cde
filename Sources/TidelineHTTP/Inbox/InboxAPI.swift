import EventStore
package import Tideline
package import TidelineSync

/// The requests of an Inbox API: questions and operations, as bytes.
package struct InboxAPI: Sendable, Hashable {
  /// The namespace of all objects, or `nil` if a token stands for one account.
  package let namespace: String?

  /// Creates an API.
  ///
  /// A namespace puts `/n/` and its name before each path.
  package init(namespace: String? = nil) { self.namespace = namespace }

  /// The maximum number of objects in one answer.
  static let limitMax = 1000

  private func path(_ parts: [String], _ query: [(String, String?)] = []) -> String {
    let all = (namespace.map { ["n", $0] } ?? []) + parts
    let asked = query.compactMap { name, value in
      value.map { "\(name)=\($0.percentEncoded)" }
    }
    let path = all.map { "/" + $0.percentEncoded }.joined()
    return asked.isEmpty ? path : "\(path)?\(asked.joined(separator: "&"))"
  }

  private func sending(
    _ method: String, _ parts: [String], _ body: (inout JSONWriter) -> Void
  ) -> HTTPRequest {
    HTTPRequest(
      method, path(parts), headers: [.init("Content-Type", "application/json")],
      body: Array(JSONWriter.object(body).utf8))
  }
}

// Questions.
extension InboxAPI {
  /// Returns the request for the changes since a cursor.
  package func deltas(since cursor: String, limit: Int? = nil) -> HTTPRequest {
    HTTPRequest("GET", path(["delta"], [("cursor", cursor), ("limit", limit?.description)]))
  }

  /// Returns the same request, answered on the next change or after some seconds.
  package func longDeltas(since cursor: String, seconds: Int) -> HTTPRequest {
    HTTPRequest(
      "GET", path(["delta", "longpoll"], [("cursor", cursor), ("timeout", String(seconds))]))
  }

  /// Returns the request for a stream of the changes since a cursor, one per line.
  package func stream(since cursor: String) -> HTTPRequest {
    // A compressed stream might arrive late.
    HTTPRequest(
      "GET", path(["delta", "streaming"], [("cursor", cursor)]),
      headers: [.init("Accept-Encoding", "identity")])
  }

  /// Returns the request for a cursor before a moment, in whole seconds since 1970.
  package func cursor(before seconds: Int64) -> HTTPRequest {
    sending("POST", ["delta", "generate_cursor"]) { $0.member("start", seconds) }
  }

  /// Returns the request for the cursor after all changes so far.
  package func latestCursor() -> HTTPRequest {
    HTTPRequest("POST", path(["delta", "latest_cursor"]))
  }

  /// Returns the request for the objects of a class that pass some filters, or `nil` for a class
  /// without lists.
  package func list(
    _ objectClass: ObjectClass, by filters: [ServerFilter] = [], offset: Int = 0, limit: Int
  ) -> HTTPRequest? {
    collection(of: objectClass).map { name in
      var query: [(String, String?)] = filters.compactMap { filter in
        filter.parameter(of: objectClass).map { ($0.name, $0.value) }
      }
      query += [("offset", "\(offset)"), ("limit", "\(min(limit, Self.limitMax))")]
      return HTTPRequest("GET", path([name], query))
    }
  }

  /// Returns the request for one object, or `nil` for a class that cannot be requested.
  package func object(_ objectClass: ObjectClass, _ id: String) -> HTTPRequest? {
    collection(of: objectClass).map { HTTPRequest("GET", path([$0, id])) }
  }

  /// Returns the request for the content of a file.
  package func content(ofFile id: String) -> HTTPRequest {
    HTTPRequest("GET", path(["files", id, "download"]))
  }

  private func collection(of objectClass: ObjectClass) -> String? {
    switch objectClass {
    case .thread: "threads"
    case .message: "messages"
    case .draft: "drafts"
    case .tag: "tags"
    case .contact: "contacts"
    case .file: "files"
    case .account, .rich, .other: nil
    }
  }
}

// Operations.
extension InboxAPI {
  /// Adds some tags to a thread and removes others; no tag may be in both.
  package func changeTags(
    ofThread id: String, adding added: [String], removing removed: [String]
  ) -> HTTPRequest {
    sending("PUT", ["threads", id]) { json in
      json.member("remove_tags", removed)
      json.member("add_tags", added)
    }
  }

  /// Marks a message as read or unread, starred or not; `nil` leaves a state as it is.
  package func mark(
    message id: String, isUnread: Bool? = nil, isStarred: Bool? = nil
  ) -> HTTPRequest {
    sending("PUT", ["messages", id]) { json in
      if let isUnread { json.member("unread", isUnread) }
      if let isStarred { json.member("starred", isStarred) }
    }
  }

  /// Adds some tags to a message and removes others; `nil` if a message cannot have one of them
  /// itself.
  package func change(
    message id: String, adding added: Set<String>, removing removed: Set<String>
  ) -> HTTPRequest? {
    guard added.union(removed).isSubset(of: ["unread", "starred"]) else { return nil }
    func flag(_ tag: String) -> Bool? {
      added.contains(tag) ? true : removed.contains(tag) ? false : nil
    }
    return mark(message: id, isUnread: flag("unread"), isStarred: flag("starred"))
  }

  /// Saves a draft; without an id, a new one.
  ///
  /// - Parameters:
  ///   - text: The text of the draft, if given.
  ///   - version: The last version from the server, without which it refuses to save a draft that
  ///     it knows.
  package func save(
    _ draft: Draft, text: String?, _ id: String? = nil, version: Int64? = nil
  ) -> HTTPRequest {
    sending(id == nil ? "POST" : "PUT", ["drafts"] + (id.map { [$0] } ?? [])) { json in
      json.draft(draft, text: text)
      json.version(id == nil ? nil : version)
    }
  }

  /// Sends a saved draft.
  package func send(draft id: String, version: Int64?) -> HTTPRequest {
    sending("POST", ["send"]) {
      $0.member("draft_id", id)
      $0.version(version)
    }
  }

  /// Deletes an object; `nil` for a class that cannot be deleted.
  ///
  /// - Parameter version: The last version from the server, without which it refuses to delete a
  ///   draft.
  package func delete(
    _ objectClass: ObjectClass, _ id: String, version: Int64? = nil
  ) -> HTTPRequest? {
    guard let name = collection(of: objectClass) else { return nil }
    guard objectClass == .draft else { return HTTPRequest("DELETE", path([name, id])) }
    return sending("DELETE", [name, id]) { $0.version(version) }
  }

  /// Creates a tag if there is no id, and renames the tag otherwise.
  package func save(tag id: String?, name: String) -> HTTPRequest {
    sending(id == nil ? "POST" : "PUT", ["tags"] + (id.map { [$0] } ?? [])) {
      $0.member("name", name)
    }
  }

  /// Uploads a file; the answer is a list with one file.
  ///
  /// - Parameter key: The source of the boundary between parts, so that a retry sends the same
  ///   bytes.
  package func upload(
    _ content: [UInt8], named name: String, type: String?, key: OperationKey
  ) -> HTTPRequest {
    let form = MultipartForm(key: key)
    return HTTPRequest(
      "POST", path(["files"]), headers: [.init("Content-Type", form.contentType)],
      body: form.body(content, named: name, type: type))
  }
}

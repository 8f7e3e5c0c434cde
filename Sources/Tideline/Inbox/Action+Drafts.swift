extension Action {
  /// Has a draft be as it is, with the text that was written; what it has no value of, and is not
  /// known, stays.
  ///
  /// Its id is a temporary one, from ``Inbox/newID()``, or one that is there.
  public static func save(_ draft: Draft, body: String? = nil) -> Action {
    var fields = ObjectFields(draft, body: body)
    // How far sending has come is not the person's to say.
    fields.remove(.state)
    let said = fields
    return Action(.draft, []) { terms in
      SaveDraft {
        $0.draft = said
        $0.baseVersion = draft.version.map(Int64.init)
        $0.terms = terms
      }
    }
  }

  /// Has a draft be sent, as it was saved before.
  public static func send(_ draft: Draft) -> Action {
    Action(.draft, [draft.id]) { terms in
      SendDraft {
        $0.id = draft.id
        $0.version = draft.version.map(Int64.init)
        $0.messageID = "<\(String(terms.key.low, radix: 36))\(String(terms.key.high, radix: 36))>"
        $0.terms = terms
      }
    }
  }

  /// Has a tag be there, with its name.
  public static func save(_ tag: Tag) -> Action {
    Action(.tag, []) { terms in
      SaveTag {
        $0.tag = ObjectFields(tag)
        $0.terms = terms
      }
    }
  }

  /// Has a file be uploaded; its content is at the path that it names.
  ///
  /// If it is for a draft, it is among the draft's files at once, and no more should the upload
  /// fail.
  public static func add(_ file: Attachment, to draft: Draft? = nil) -> Action {
    Action(.draft, [draft?.id].compactMap(\.self)) { terms in
      AddFile {
        $0.file = ObjectFields(file)
        $0.content = file.localPath ?? ""
        $0.draft = draft?.id
        $0.terms = terms
      }
    }
  }
}

/// A page of message changes, as a server of the Inbox API writes it.
enum DeltaBytes {
  /// Returns a page of new messages, each with a body, four people and a file, with separators and
  /// spaces as Python writes them.
  static func page(_ count: Int) -> [UInt8] {
    var bytes = Array(#"{"cursor_start": "c0", "cursor_end": "c\#(count)", "deltas": ["#.utf8)
    for index in 0..<count {
      if index > 0 { bytes += ", ".utf8 }
      bytes += delta(index).utf8
    }
    bytes += "]}".utf8
    return bytes
  }

  private static func delta(_ index: Int) -> String {
    let (person, thread) = (index % 997, index / 3)
    return #"{"cursor": "c\#(index)", "object": "message", "event": "create", "id": "m\#(index)", "#
      + #""attributes": {"id": "m\#(index)", "object": "message", "namespace_id": "n1", "#
      + #""subject": "Minutes of meeting \#(index), and what comes of them", "#
      + #""from": [{"name": "Person \#(person)", "email": "person\#(person)@example.com"}], "#
      + #""reply_to": [], "to": [{"name": "Ann", "email": "ann@example.com"}, "#
      + #"{"name": "Zo\u00eb", "email": "zoe@example.org"}], "#
      + #""cc": [{"name": "", "email": "team@example.net"}], "bcc": [], "#
      + #""date": \#(1_700_000_000 + index * 37), "thread_id": "t\#(thread)", "#
      + #""snippet": "Dear all, here is what was said and who does what by when, as agreed.", "#
      + #""body": "\#(body)", "unread": \#(index % 4 == 0 ? "true" : "false"), "starred": false, "#
      + #""files": [{"id": "f\#(index)", "filename": "minutes.pdf", "#
      + #""content_type": "application/pdf", "size": \#(10_000 + index)}], "events": []}}"#
  }

  /// HTML as in mail, with escaped quotes and line ends.
  private static let body = String(
    repeating: #"<p class=\"text\">Here is what was said, and who does what by when.</p>\n"#,
    count: 6)
}

package import Tideline

/// A text to read, as if a person had written it.
package struct Letter: Sendable {
  /// The author.
  package let sender: ObjectPerson
  /// The subject.
  package let subject: String
  /// The beginning of the text.
  package let snippet: String
  /// The whole text, as HTML.
  package let text: String

  private init(from sender: ObjectPerson, _ subject: String, _ sentences: [String]) {
    self.sender = sender
    self.subject = subject
    snippet = sentences.prefix(2).joined(separator: " ")
    text = sentences.map { "<p>\($0)</p>" }.joined(separator: "\n")
  }

  /// Creates a letter; its sender is drawn too, unless given.
  package init(from sender: ObjectPerson? = nil, using dice: inout Dice) {
    let thing = dice.pick(Self.things) ?? ""
    let subject = (dice.pick(Self.subjects) ?? "%").replacing("%", with: thing)
    let sentences = (0..<dice.number(2...7)).map { _ in Self.sentence(on: thing, &dice) }
    self.init(
      from: sender ?? Self.person(using: &dice),
      subject.first.map { "\($0)".uppercased() }
        .map { $0 + subject.dropFirst() } ?? subject, sentences)
  }

  /// Creates an advertisement.
  package init(promoting dice: inout Dice) {
    let thing = dice.pick(Self.goods) ?? ""
    let share = dice.number(1...7) * 10
    let subject = (dice.pick(Self.offers) ?? "%").replacing("%", with: thing)
      .replacing("#", with: "\(share)")
    let sentences = [
      "\(share) % off all \(thing), this week only.", "Have a look while they last.",
    ]
    self.init(from: ObjectPerson(name: "The shop", email: "news@shop.example"), subject, sentences)
  }

  /// Draws a person.
  package static func person(using dice: inout Dice) -> ObjectPerson {
    let (first, last) = (dice.pick(firstNames) ?? "", dice.pick(lastNames) ?? "")
    let host = dice.pick(hosts) ?? ""
    return ObjectPerson(
      name: "\(first) \(last)", email: "\(first.lowercased()).\(last.lowercased())@\(host)")
  }

  private static func sentence(on thing: String, _ dice: inout Dice) -> String {
    (dice.pick(sentences) ?? "").replacing("%", with: thing)
      .replacing("#", with: "\(dice.number(2...30))")
  }
}

/// The building blocks of letters.
extension Letter {
  private static let firstNames = [
    "Ada", "Amir", "Beatriz", "Chen", "Clara", "Dmitri", "Elif", "Emma", "Farid", "Greta", "Hugo",
    "Ines", "Jonas", "Kaito", "Lena", "Mateo", "Nadia", "Oskar", "Priya", "Rosa", "Samuel", "Tara",
    "Viktor", "Yara",
  ]
  private static let lastNames = [
    "Abel", "Becker", "Castro", "Dahl", "Egger", "Fischer", "Garcia", "Haas", "Ito", "Jensen",
    "Kaya", "Lang", "Moreau", "Novak", "Okafor", "Petrov", "Quist", "Rossi", "Silva", "Tanaka",
    "Ungar", "Vogel", "Wood", "Zeller",
  ]
  private static let hosts = ["example.com", "mail.example", "work.example", "post.example"]
  private static let things = [
    "the budget", "lunch", "the train tickets", "the new office", "the garden", "Friday",
    "the contract", "the holiday photos", "the release", "the invoice", "the choir", "the survey",
    "the workshop", "dinner", "the boiler", "the summer party", "the report", "the bicycle",
    "the interview", "the translation",
  ]
  private static let subjects = [
    "%", "about %", "question on %", "%: next steps", "news of %", "re-reading %", "help with %?",
    "%, once more", "thanks for %", "changes to %",
  ]
  private static let sentences = [
    "I have thought about % again.", "Could you have a look at % before Thursday?",
    "There are # people who asked about %.", "It should not take more than # minutes.",
    "As far as I know nothing has changed with %.", "Let me know what you think.",
    "I have put the details of % below.", "We would need it by the #th at the latest.",
    "Sorry for the late answer!", "Shall we speak about it on the phone?",
    "The last version of % was better, to be honest.", "Everybody else has agreed.",
  ]
  private static let goods = [
    "shoes", "lamps", "bicycles", "books", "coats", "kettles", "tents", "chairs", "records",
  ]
  private static let offers = [
    "#% off all %", "New %, just in", "Your % are waiting", "Last days for %", "% for the weekend",
  ]
}

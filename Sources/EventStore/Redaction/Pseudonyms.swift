import LMDB

/// The pseudonyms of texts under a secret.
public struct Pseudonyms: Sendable {
  private let key: FingerprintKey
  private let ids: OrderCode
  private let names: OrderCode
  private let folding: @Sendable (String) -> String
  private let prefixes: [[UInt8]]
  private let words: [[UInt8]]
  /// The texts that stay unchanged, in ascending order: as bytes and folded.
  private let kept: (bytes: [[UInt8]], folded: [[UInt8]])

  /// The minimum length of prose in bytes; without words to keep, shorter texts are replaced like
  /// ids to avoid collisions.
  private static let proseBytesMin = 64

  /// Creates the pseudonyms for a redaction.
  public init(_ redaction: Redaction) {
    key = FingerprintKey(of: redaction.secret, "texts")
    ids = .forIDs(FingerprintKey(of: redaction.secret, "ids"))
    names = .forNames(FingerprintKey(of: redaction.secret, "names"))
    folding = redaction.folding
    // If a text begins with two of the prefixes, the longer one is kept.
    prefixes = redaction.prefixes.map { Array($0.utf8) }.sorted { $0.count > $1.count }
    words = redaction.words.map { Array($0.utf8) }.filter { !$0.isEmpty }
    let bytes = redaction.kept.union(redaction.prefixes).map { Array($0.utf8) }
      .filter { !$0.isEmpty }
    let folded = Set(redaction.kept.map { Array(redaction.folding($0).utf8) })
    kept = (
      bytes.sorted(by: Self.isLess), folded.filter { !$0.isEmpty }.sorted(by: Self.isLess)
    )
  }

  private static func isLess(_ a: [UInt8], _ b: [UInt8]) -> Bool { a.lexicographicallyPrecedes(b) }

  /// Returns the pseudonym of a text.
  ///
  /// - Complexity: O(n)
  public func pseudonym(of text: String, _ treatment: Redaction.Treatment) -> String {
    String(decoding: pseudonym(of: Array(text.utf8), treatment), as: UTF8.self)
  }

  func pseudonym(of text: [UInt8], _ treatment: Redaction.Treatment) -> [UInt8] {
    switch treatment {
    case .kept: text
    case .ordered: id(text)
    case .folded: name(text)
    case .prose: prose(text)
    case .json: json(text)
    case .path(let slashes): path(text, after: slashes)
    case .replaced(let replace): replace(text, self)
    }
  }

  /// Returns equally many other bytes, always the same for the same input.
  func noise(of bytes: [UInt8]) -> [UInt8] {
    let seed = key.fingerprint(of: bytes.raw)
    return bytes.indices.map { UInt8(truncatingIfNeeded: Self.draw(seed, $0)) }
  }

  /// Returns a replacement for a word that is a hash.
  func noise(of word: UInt64) -> UInt64 { key.fingerprint(of: word, 1) }

  private func id(_ text: [UInt8]) -> [UInt8] {
    if let prefix = prefixes.first(where: { text.starts(with: $0) }) {
      let rest = Array(text.dropFirst(prefix.count))
      return prefix + ids.pseudonym(of: rest.raw, after: nil, before: nil)
    }
    let (place, isKept) = kept.bytes.place(of: text)
    guard !isKept else { return text }
    return ids.pseudonym(
      of: text.raw, after: kept.bytes.at(place - 1), before: kept.bytes.at(place))
  }

  private func path(_ text: [UInt8], after slashes: Int) -> [UInt8] {
    let places = text.indices.filter { text[$0] == UInt8(ascii: "/") }
    guard slashes > 0, places.count >= slashes else { return text }
    let start = places[slashes - 1] + 1
    return text[..<start] + id(Array(text[start...]))
  }

  /// Returns a lowercase pseudonym if the text is already folded; otherwise varies the capitals to
  /// distinguish its spellings.
  private func name(_ text: [UInt8]) -> [UInt8] {
    let folded = Array(folding(String(decoding: text, as: UTF8.self)).utf8)
    let (place, isKept) = kept.folded.place(of: folded)
    guard !isKept else { return text }
    var name = names.pseudonym(
      of: folded.raw, after: kept.folded.at(place - 1), before: kept.folded.at(place))
    guard folded != text else { return name }
    let seed = key.fingerprint(of: text.raw)
    let letters = name.indices.filter { 0x61...0x7A ~= name[$0] }
    let capitals = letters.filter { Self.draw(seed, $0) & 1 == 1 }
    for index in capitals.isEmpty ? Array(letters.prefix(1)) : capitals { name[index] -= 0x20 }
    return name
  }

  private func prose(_ text: [UInt8]) -> [UInt8] {
    guard text.count >= Self.proseBytesMin || !words.isEmpty else { return id(text) }
    let seed = key.fingerprint(of: text.raw)
    var prose = text.indices.map { Self.letter(seed, $0) }
    for word in words where word.count <= text.count {
      for start in 0...(text.count - word.count) where text[start...].starts(with: word) {
        prose.replaceSubrange(start..<(start + word.count), with: word)
      }
    }
    return prose
  }

  private static func letter(_ seed: UInt64, _ place: Int) -> UInt8 {
    0x61 + UInt8(draw(seed, place) % 26)
  }

  private static func draw(_ seed: UInt64, _ place: Int) -> UInt64 {
    var mixer = Mixer(seed: seed)
    mixer.add(UInt64(place))
    return mixer.value >> 8
  }
}

extension Pseudonyms {
  /// Replaces texts and digits in JSON, which may be cut off or not JSON at all.
  private func json(_ text: [UInt8]) -> [UInt8] {
    var (json, index) = ([UInt8](), 0)
    while index < text.count {
      let byte = text[index]
      switch byte {
      case UInt8(ascii: "\""):
        let end = text.endOfString(from: index)
        json.append(byte)
        json += id(Array(text[(index + 1)..<end]))
        if end < text.count { json.append(UInt8(ascii: "\"")) }
        index = end + 1
      case 0x30...0x39, 0x61...0x7A, 0x41...0x5A, 0x80...:
        let end = text[index...].firstIndex { !$0.isOfWord } ?? text.count
        json += bare(Array(text[index..<end]))
        index = end
      default:
        json.append(byte)
        index += 1
      }
    }
    return json
  }

  /// Replaces a number's digits unless it has only one; keeps exponents, `true`, `false`, and
  /// `null`; masks anything else.
  private func bare(_ word: [UInt8]) -> [UInt8] {
    if ["true", "false", "null"].contains(where: { word.elementsEqual($0.utf8) }) { return word }
    let seed = key.fingerprint(of: word.raw)
    let end = word.firstIndex { $0 | 0x20 == UInt8(ascii: "e") } ?? word.count
    return word.indices.map { index in
      switch word[index] {
      case 0x30...0x39 where word.count > 1 && index < end: 0x31 + UInt8(Self.draw(seed, index) % 9)
      case 0x30...0x39, UInt8(ascii: "."), UInt8(ascii: "+"), UInt8(ascii: "-"): word[index]
      case UInt8(ascii: "e"), UInt8(ascii: "E"): word[index]
      default: 0x78
      }
    }
  }
}

extension UInt8 {
  /// Whether the byte is part of a number or a word in JSON.
  fileprivate var isOfWord: Bool {
    switch self {
    case 0x30...0x39, 0x61...0x7A, 0x41...0x5A, 0x80..., UInt8(ascii: "."), UInt8(ascii: "+"),
      UInt8(ascii: "-"):
      true
    default: false
    }
  }
}

extension [UInt8] {
  /// Returns the end of the JSON string that begins at an index, or the end of the text.
  fileprivate func endOfString(from start: Int) -> Int {
    var index = start + 1
    while index < count, self[index] != UInt8(ascii: "\"") {
      index += self[index] == UInt8(ascii: "\\") ? 2 : 1
    }
    return Swift.min(index, count)
  }
}

extension [[UInt8]] {
  /// Returns a text's position among ascending ones and whether it is one of them.
  fileprivate func place(of text: [UInt8]) -> (Int, Bool) {
    let place = firstIndex { !$0.lexicographicallyPrecedes(text) } ?? count
    return (place, place < count && self[place] == text)
  }

  fileprivate func at(_ index: Int) -> [UInt8]? { indices.contains(index) ? self[index] : nil }
}

extension OrderCode {
  /// The code for ids: digits, then uppercase and lowercase letters, weighted for ids of many
  /// kinds.
  fileprivate static func forIDs(_ key: FingerprintKey) -> OrderCode {
    OrderCode(
      digits: "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz",
      weights: { byte in
        switch byte {
        case 0x30...0x39: 90
        case 0x61...0x7A: frequent.contains(byte) ? 65 : 40
        case 0x41...0x5A: 12
        case 0x20: 60
        case 0x2D, 0x2E, 0x2F, 0x3A, 0x40, 0x5F: 20
        default: 1
        }
      }, key: key)
  }

  /// The code for folded names: digits and lowercase letters, which folding leaves unchanged.
  fileprivate static func forNames(_ key: FingerprintKey) -> OrderCode {
    OrderCode(
      digits: "0123456789abcdefghijklmnopqrstuvwxyz",
      weights: { byte in
        switch byte {
        case 0x30...0x39: 20
        case 0x61...0x7A: frequent.contains(byte) ? 90 : 30
        case 0x20: 100
        case 0x2D, 0x2E, 0x40, 0x5F: 25
        default: 1
        }
      }, key: key)
  }

  private static let frequent = Set("etaoinshrdlu".utf8)
}

extension FingerprintKey {
  /// Derives the key for a purpose from a secret.
  init(of secret: String, _ purpose: String) {
    var bytes: [UInt8] = []
    for half in ["0", "1"] {
      let zero = FingerprintKey([UInt8](repeating: 0, count: Self.byteCount).raw)
      bytes.append(littleEndian: zero.fingerprint(of: "\(purpose)/\(half)/\(secret)"))
    }
    self.init(bytes.raw)
  }
}

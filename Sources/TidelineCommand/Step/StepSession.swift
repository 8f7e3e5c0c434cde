import EventStore
import Tideline

/// An interactive session of stepping through a log: it takes keys and updates a screen.
struct StepSession {
  private(set) var screen = StepScreen()
  private let stepper: ReplayStepper
  private let now: Timestamp
  /// The purpose of typed text.
  private enum Prompt { case place, filter }
  private var prompt: Prompt?
  /// The direction of a search.
  private enum Direction { case forward, back }
  /// The direction of the search under way.
  private var search: Direction?
  /// The place from which the last search went forward.
  private var origin = RecordNumber.zero

  /// The number of records that are searched before keys are taken again.
  private static let searchMax = 2048
  /// The keys that leave the help open.
  private static let scrolling: Set<Key> = [.up, .down, .pageUp, .pageDown]
  private static let prompts: [Prompt: String] = [.place: "go to: ", .filter: "filter: "]

  /// Creates a session that begins at the stepper's record, or at the first.
  init(_ stepper: ReplayStepper, now: Timestamp) throws {
    (self.stepper, self.now) = (stepper, now)
    screen.last = try stepper.log.last
    try go(to: stepper.number)
    try showPresent()
  }

  /// Whether a search is under way, which ``searchOn()`` continues and any key stops.
  var isSearching: Bool { search != nil }

  /// Continues the search under way, for some records.
  mutating func searchOn() throws {
    screen.remark = nil
    switch search {
    case .forward: try searchForward()
    case .back: try searchBack()
    case nil: break
    }
  }

  /// Handles a key; returns whether to continue.
  mutating func press(_ key: Key) throws -> Bool {
    screen.remark = nil
    if isSearching {
      try stopSearching()
      return key != .interrupt && key != .character("q")
    }
    if prompt != nil { return try type(key) }
    let showsHelp = screen.showsHelp
    if showsHelp, !Self.scrolling.contains(key) { (screen.showsHelp, screen.top) = (false, 0) }
    switch key {
    case .right, .character("n"), .character(" "), .enter:
      origin = stepper.number
      try searchForward()
    case .left, .character("p"), .back: try goBack()
    case .down, .pageDown: screen.top += key == .down ? 1 : 10
    case .up, .pageUp: screen.top = max(0, screen.top - (key == .up ? 1 : 10))
    case .home: try jump(to: .start)
    case .end: try jump(to: .end)
    case .character("g"): ask(.place)
    case .character("/"): ask(.filter)
    case .character("?"): (screen.showsHelp, screen.top) = (!showsHelp, 0)
    case .character("q"), .interrupt: return false
    default: break
    }
    return true
  }

  private mutating func ask(_ prompt: Prompt) {
    self.prompt = prompt
    screen.prompt = (Self.prompts[prompt] ?? "", prompt == .filter ? screen.filter : "")
  }

  private mutating func type(_ key: Key) throws -> Bool {
    guard let prompt, let text = screen.prompt?.text else { return true }
    switch key {
    case .character(let character): screen.prompt?.text = text + String(character)
    case .back: screen.prompt?.text = String(text.dropLast())
    case .interrupt: return false
    case .escape: (self.prompt, screen.prompt) = (nil, nil)
    case .enter:
      (self.prompt, screen.prompt) = (nil, nil)
      if prompt == .filter { screen.filter = text } else { try jump(to: text) }
    default: break
    }
    return true
  }

  private mutating func jump(to text: String) throws {
    guard let place = LogPlace(text, moment: { Timestamp(text: $0) }) else {
      screen.remark =
        "no place '\(text)': enter a record or a time, such as 1200, -5, -1h, start, end"
      return
    }
    try jump(to: place)
  }

  private mutating func jump(to place: LogPlace) throws {
    do throws(LogError) {
      let found = try stepper.log.find(place, now: now)
      screen.remark = found.remark
      try go(to: found.number)
    } catch {
      screen.remark = "\(error)"
    }
    try showPresent()
  }

  private func go(to number: RecordNumber) throws(LogError) {
    do throws(StoreError) {
      let floor = stepper.log.floor
      try stepper.jump(to: number > floor ? number.advanced(by: -1) : floor)
    } catch {
      if case .log(let error) = error { throw error }
      throw .failed(path: stepper.log.path, detail: "\(error)")
    }
  }

  /// Shows the next record, and moves the stepper past it.
  private mutating func showPresent() throws {
    (screen.isUndone, screen.top) = (false, 0)
    screen.step = try stepper.forward()
  }

  /// Shows the next record that passes the filter, or else stays at the shown one.
  private mutating func searchForward() throws {
    search = nil
    for _ in 0..<Self.searchMax {
      guard let step = try stepper.forward() else { return try stay() }
      guard lets(step) else { continue }
      (screen.step, screen.isUndone, screen.top) = (step, false, 0)
      return
    }
    pause(.forward)
  }

  /// Goes back to the shown record, as no other was found.
  private mutating func stay() throws {
    if stepper.number != origin { try stepper.jump(to: origin) }
    screen.remark = screen.filter.isEmpty ? "no more records" : "no more matches"
  }

  private mutating func pause(_ direction: Direction) {
    search = direction
    screen.remark = "searching at #\(stepper.number); any key stops"
  }

  /// Stops a search, and shows the record that it has reached.
  private mutating func stopSearching() throws {
    if search == .forward { _ = try stepper.back() }
    search = nil
    try showPresent()
  }

  private mutating func goBack() throws {
    guard try stepper.back() != nil else {
      screen.remark = "no earlier record"
      return
    }
    try searchBack()
  }

  private mutating func searchBack() throws {
    search = nil
    // The shown step is the one that led to the current state.
    for _ in 0..<Self.searchMax {
      guard let step = try stepper.back() else {
        (screen.step, screen.top) = (nil, 0)
        return
      }
      guard lets(step) else { continue }
      (screen.step, screen.isUndone, screen.top) = (try stepper.forward(), false, 0)
      return
    }
    pause(.back)
  }

  /// Whether a step passes the filter.
  private func lets(_ step: Step) -> Bool {
    guard !screen.filter.isEmpty else { return true }
    let sought = screen.filter.lowercased()
    let kind = EventCatalog.name(of: step.record.header.kind) ?? ""
    if kind.lowercased().contains(sought) { return true }
    if EventCatalog.line(of: step.record).lowercased().contains(sought) { return true }
    return step.rows.contains { $0.id.lowercased().contains(sought) }
      || step.lists.contains { "\($0.list)".lowercased().contains(sought) }
  }
}

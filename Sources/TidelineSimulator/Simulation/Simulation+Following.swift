import EventStore
import Tideline
import TidelineSync

/// A stream that a device follows, as its server and the network have it.
struct Line {
  /// Which of the server's streams it is.
  let stream: Int
  let name: String
  let login: Login
  let device: Int
  let opening: Int
  let token: Token?
  /// Up to where it was told.
  var cursor: String
  /// When all arrives that was told: nothing is overtaken by what is told later.
  var last: Timestamp
}

/// Streams: what servers tell by themselves, and what becomes of it on the way.
extension Simulation {
  /// How long a server waits between two looks.
  private static let pause = Duration.seconds(2)

  /// Has the server tell a device what changes.
  func follow(
    _ stream: Int, _ name: String, since cursor: String, _ login: Login, _ place: Int
  ) {
    endLine(of: stream, login, place)
    lastLine += 1
    let device = devices[place]
    lines[lastLine] = Line(
      stream: stream, name: name, login: login, device: place, opening: device.store.openings,
      token: device.token(of: login), cursor: cursor, last: now)
    count("stream followed")
    look(lastLine)
  }

  /// Has the server tell it no more.
  func endLine(of stream: Int, _ login: Login, _ place: Int) {
    lines = lines.filter { _, line in
      line.stream != stream || line.login != login || line.device != place
    }
  }

  /// Has what was told on a line arrive, or the server look for what it has to tell.
  func use(_ number: Int, _ event: SyncEvent?) throws {
    guard let line = lines[number], devices[line.device].store.openings == line.opening else {
      lines[number] = nil
      return
    }
    guard let event else { return tell(on: number, line) }
    if event.isEnd { lines[number] = nil }
    try run(line.device, event, of: line.login)
  }

  private func look(_ number: Int) {
    agenda.add(.line(number, nil), at: now.advanced(by: Self.pause))
  }

  /// Tells what changed since it was told last; nothing is sent where nothing did.
  private func tell(on number: Int, _ line: Line) {
    let question = Question.changes(stream: line.name, since: line.cursor, limit: 100)
    do throws(ServerFailure) {
      let answer = try server.answer(question, token: line.token)
      let isNews = !answer.facts.isEmpty || answer.cursor != line.cursor
      guard isNews || !devices[line.device].isOnline else { return look(number) }
      carry(answer, on: number, line)
    } catch {
      arrive(.followed(line.stream, .failure(error)), number, after: .zero)
    }
  }

  /// Has an answer arrive, once or twice, sooner or later, or the line break instead of it.
  private func carry(_ answer: Answer, on number: Int, _ line: Line) {
    let route = network.route(isOnline: devices[line.device].isOnline)
    guard [.answer, .partOfAnswer].contains(route.reply), let way = route.arrivals.first else {
      count("stream cut")
      return arrive(.unfollowed(line.stream), number, after: route.delay)
    }
    count("stream told")
    lines[number]?.cursor = answer.cursor ?? line.cursor
    for _ in route.arrivals { arrive(.followed(line.stream, .success(answer)), number, after: way) }
    look(number)
  }

  private func arrive(_ event: SyncEvent, _ number: Int, after delay: Duration) {
    guard let line = lines[number] else { return }
    let time = max(line.last, now.advanced(by: delay))
    lines[number]?.last = time
    agenda.add(.line(number, event), at: time)
  }
}

extension SyncEvent {
  /// Whether a stream is not followed any more behind it.
  fileprivate var isEnd: Bool {
    switch self {
    case .unfollowed, .followed(_, .failure): true
    default: false
    }
  }
}

import EventStore
import Tideline
import TidelineSync

/// A followed stream, as the server and the network see it.
struct Line {
  /// The index of the server's stream.
  let stream: Int
  let name: String
  let login: Login
  let device: Int
  let opening: Int
  let token: Token?
  /// The cursor after the last report.
  var cursor: String
  /// The arrival time of the last report; later reports do not overtake it.
  var last: Timestamp
}

/// Streams: the reports of servers, and their way through the network.
extension Simulation {
  /// The interval at which a server checks for changes.
  private static let pause = Duration.seconds(2)

  /// Starts reporting the changes of a stream to a device.
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

  /// Stops reporting the changes of a stream.
  func endLine(of stream: Int, _ login: Login, _ place: Int) {
    lines = lines.filter { _, line in
      line.stream != stream || line.login != login || line.device != place
    }
  }

  /// Delivers a report of a line, or makes the server check for changes if there is none.
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

  /// Reports the changes since the last report; sends nothing if there are none.
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

  /// Delivers an answer once or twice, after a delay, or breaks the line instead.
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
  /// Whether the event ends the stream.
  fileprivate var isEnd: Bool {
    switch self {
    case .unfollowed, .followed(_, .failure): true
    default: false
    }
  }
}

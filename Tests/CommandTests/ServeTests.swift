import Foundation
import TestSupport
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The servers that `tideline serve` simulates, tested from outside.
@Suite(.timeLimit(.minutes(10))) struct ServeTests {
  private let folder: TemporaryFolder
  private static let small = ["serve", "--threads", "20", "--rich=3"]

  init() throws { folder = try TemporaryFolder() }

  /// Starts a server, and returns it with its address, whose port nobody else takes after its end.
  private func serve(_ words: String...) async throws -> (server: Tideline, address: String) {
    for _ in 0..<100 {
      let port = Port.next()
      let server = try Tideline(Self.small + ["--port", "\(port)"] + words)
      guard let address = await server.next() else { continue }
      #expect(address == "http://127.0.0.1:\(port)/")
      return (server, address)
    }
    throw NoPort()
  }

  private struct NoPort: Error {}

  private func ask(
    _ address: String, _ path: String, method: String = "GET", token: String = "tideline"
  ) async throws -> (status: Int, text: String) {
    var request = URLRequest(url: try #require(URL(string: address + path)))
    request.httpMethod = method
    // The request may take long on a busy machine; if the server is gone, it fails at once.
    request.timeoutInterval = 600
    request.setValue("Bearer \(token)", forHTTPHeaderField: "Authorization")
    let (data, response) = try await URLSession.shared.data(for: request)
    return (
      try #require(response as? HTTPURLResponse).statusCode, String(decoding: data, as: UTF8.self)
    )
  }

  @Test func serve_untilInterrupted() async throws {
    let (server, address) = try await serve("--token", "secret")
    let count = try await ask(address, "threads?view=count", token: "secret")
    #expect(count.status == 200 && count.text == #"{"count":20}"#)
    let rich = try await ask(address, "inbox/messages", token: "secret")
    #expect(rich.status == 200 && rich.text.contains(#""id":"r1""#))
    server.interrupt()
    #expect(try await server.ended() == .init())
    await #expect(throws: URLError.self) { _ = try await ask(address, "threads") }
  }

  @Test func sameSeed_isTheSameMailbox_alsoAfterAKill() async throws {
    let (first, address) = try await serve("--seed", "7")
    let state = try await ask(address, "_tideline/state").text
    let cursor = try await ask(address, "delta/latest_cursor", method: "POST").text
    let word = try #require(cursor.split(separator: "\"").dropFirst(3).first)
    // Whatever happens from here on is lost.
    #expect(try await ask(address, "_tideline/mail", method: "POST").status == 200)
    #expect(try await ask(address, "_tideline/state").text != state)
    let later = try await ask(address, "delta/latest_cursor", method: "POST").text
    let lost = try #require(later.split(separator: "\"").dropFirst(3).first)
    first.kill()

    let (second, again) = try await serve("--seed=7")
    #expect(try await ask(again, "_tideline/state").text == state)
    #expect(try await ask(again, "_tideline/mail", method: "POST").status == 200)
    #expect(try await ask(again, "delta?cursor=\(word)").status == 200)
    #expect(try await ask(again, "delta?cursor=\(lost)").status == 400)
    second.interrupt()
    let (third, other) = try await serve("--seed=8")
    #expect(try await ask(other, "_tideline/state").text != state)
    third.interrupt()
  }

  @Test(arguments: [[], ["--engage"]])
  func alerts_areAppended(words: [String]) async throws {
    let path = folder.path(of: "alerts")
    try Data("before\n".utf8).write(to: URL(fileURLWithPath: path))
    let server = try Tideline(Self.small + ["--alerts", path] + words)
    let address = try #require(await server.next())
    #expect(try await ask(address, "_tideline/rich", method: "POST").text == #"{"ids":["r4"]}"#)
    let lines = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n")
    #expect(lines.count == 2 && lines.first == "before")
    let line = try #require(lines.dropFirst().first)
    let alert = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
    #expect(alert?[words.isEmpty ? "_m" : "uniqueID"] as? String == "r4")
    server.interrupt()
    #expect(try await server.ended() == .init())
  }

  @Test func traffic_happensByItself() async throws {
    let (server, address) = try await serve("--traffic", "100")
    let before = try await ask(address, "_tideline/state").text
    while try await ask(address, "_tideline/state").text == before {}
    server.interrupt()
    #expect(try await server.ended() == .init())
  }

  @Test func port_thatIsTaken_andFile_thatCannotBe() async throws {
    let (server, address) = try await serve()
    let port = try #require(URL(string: address)?.port)
    for words in [["--port", "\(port)"], ["--alerts", folder.path(of: "none/alerts")]] {
      let outcome = try await Tideline(Self.small + words).ended()
      #expect(outcome.status == 1 && outcome.output == [] && outcome.errors.count == 1)
      #expect(outcome.errors.first?.hasPrefix("tideline: ") == true, "\(outcome)")
    }
    server.interrupt()
  }
}

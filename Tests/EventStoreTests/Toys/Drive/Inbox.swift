import Synchronization

/// Collects what is handed over on another thread.
final class Inbox<Element: Sendable>: Sendable {
  private let elements = Mutex<[Element]>([])

  func put(_ element: Element) { elements.withLock { $0.append(element) } }

  func takeAll() -> [Element] {
    elements.withLock { elements in
      defer { elements = [] }
      return elements
    }
  }
}

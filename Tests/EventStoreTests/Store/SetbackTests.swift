import EventStore
import Testing

@Suite struct SetbackTests {
  @Test func floor_isTheLowestSince() {
    var setbacks = Setbacks()
    #expect(setbacks.count == 0 && setbacks.floor(since: 0) == nil)
    for floor: RecordNumber in [50, 20, 40] { setbacks.add(downTo: floor) }
    #expect(setbacks.count == 3)
    let floors = [setbacks.floor(since: 0), setbacks.floor(since: 1), setbacks.floor(since: 2)]
    #expect(floors == [20, 20, 40])
    #expect(setbacks.floor(since: 3) == nil)
    #expect(setbacks.kept(57, since: 2) == 40)
    #expect(setbacks.kept(30, since: 2) == 30)
    #expect(setbacks.kept(57, since: 3) == 57)
  }

  /// Of what was noted before very many setbacks, nothing is known to have stayed.
  @Test func floor_isZero_behindVeryMany() {
    var setbacks = Setbacks()
    for number in 1...100 { setbacks.add(downTo: RecordNumber(rawValue: UInt64(number))) }
    #expect(setbacks.count == 100)
    #expect(setbacks.floor(since: 0) == RecordNumber.zero)
    #expect(setbacks.floor(since: 99) == 100)
    #expect(setbacks.floor(since: 98) == 99)
  }
}

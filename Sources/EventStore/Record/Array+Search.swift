extension Array {
  /// Returns the first index whose element does not precede the one sought, in ascending order.
  ///
  /// O(log n).
  package func lowerBound(where precedes: (Element) -> Bool) -> Int {
    var range = startIndex..<endIndex
    while !range.isEmpty {
      let middle = range.lowerBound + range.count / 2
      range =
        precedes(self[middle])
        ? (middle + 1)..<range.upperBound : range.lowerBound..<middle
    }
    return range.lowerBound
  }
}

/// Writes the few DER elements that keys and signatures need (X.690 §10).
package enum DER {
  /// - Parameter content: shorter than 64 KiB.
  package static func element(_ tag: UInt8, _ content: some Collection<UInt8>) -> [UInt8] {
    let count = content.count
    let high = UInt8(truncatingIfNeeded: count >> 8)
    let low = UInt8(truncatingIfNeeded: count)
    let length: [UInt8] =
      count < 0x80 ? [low] : count < 0x100 ? [0x81, low] : [0x82, high, low]
    return [tag] + length + content
  }

  /// INTEGER of a big-endian magnitude, in the fewest bytes (X.690 §8.3.2).
  package static func integer(_ number: some Collection<UInt8>) -> [UInt8] {
    let magnitude = number.drop { $0 == 0 }
    let sign: [UInt8] = (magnitude.first ?? 0x80) >= 0x80 ? [0] : []
    return element(0x02, sign + magnitude)
  }

  /// SEQUENCE of elements.
  package static func sequence(_ elements: [UInt8]...) -> [UInt8] {
    element(0x30, elements.flatMap { $0 })
  }
}

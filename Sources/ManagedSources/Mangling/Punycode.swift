/// Names with letters beyond ASCII, as the compiler writes them into symbols.
///
/// - SeeAlso: RFC 3492; the digits are a…z, A…J, and the delimiter is an underscore.
enum Punycode {
  private static let base = 36
  private static let tMin = 1
  private static let tMax = 26
  private static let skew = 38
  private static let damp = 700

  static func encode(_ text: String) -> String {
    // ASCII that no symbol may have is moved to where nothing else is, and encoded like the rest.
    let scalars = text.unicodeScalars.map { scalar in
      scalar.value < 0x80 && !isSymbol(scalar) ? scalar.value + 0xD800 : scalar.value
    }
    var output = scalars.filter { $0 < 0x80 }.map { UInt8($0) }
    var handled = output.count
    if !output.isEmpty { output.append(UInt8(ascii: "_")) }
    let basicCount = handled

    var n: UInt32 = 0x80
    var delta = 0
    var bias = 72
    while handled < scalars.count {
      let next = scalars.filter { $0 >= n }.min() ?? n
      delta += Int(next - n) * (handled + 1)
      n = next
      for scalar in scalars {
        if scalar < n { delta += 1 }
        guard scalar == n else { continue }
        var rest = delta
        var k = base
        while true {
          let threshold = k <= bias ? tMin : k >= bias + tMax ? tMax : k - bias
          if rest < threshold { break }
          output.append(digit(threshold + (rest - threshold) % (base - threshold)))
          rest = (rest - threshold) / (base - threshold)
          k += base
        }
        output.append(digit(rest))
        bias = adapted(delta, count: handled + 1, isFirst: handled == basicCount)
        delta = 0
        handled += 1
      }
      delta += 1
      n += 1
    }
    precondition(handled == scalars.count, "each letter of a name is written once")
    return String(decoding: output, as: UTF8.self)
  }

  private static func isSymbol(_ scalar: Unicode.Scalar) -> Bool {
    scalar.properties.isAlphabetic || ("0"..."9").contains(scalar) || scalar == "_" || scalar == "$"
  }

  private static func digit(_ value: Int) -> UInt8 {
    precondition(0..<base ~= value, "a digit is one of \(base)")
    return value < 26 ? UInt8(ascii: "a") + UInt8(value) : UInt8(ascii: "A") + UInt8(value - 26)
  }

  private static func adapted(_ delta: Int, count: Int, isFirst: Bool) -> Int {
    precondition(count > 0 && delta >= 0, "a letter that was written adapts the bias")
    var delta = isFirst ? delta / damp : delta / 2
    delta += delta / count
    var k = 0
    while delta > (base - tMin) * tMax / 2 {
      delta /= base - tMin
      k += base
    }
    return k + (base - tMin + 1) * delta / (delta + skew)
  }
}

extension HistoryWriter {
  /// Appends a record with the values of a list, six of them in each `elements` record that follows it.
  ///
  /// - Precondition: the values have 32 bits.
  package func record(
    _ type: OperationType, _ function: OperationFunction, entity: UInt16 = 0, key: Int64, values: [Int64],
    value: Int64 = 0, context: UInt32 = 0, object: Int64 = 0
  ) {
    record(
      type, function, entity: entity, key: key, values: values, value: value, context: context, object: object,
      at: Self.now())
  }

  /// The same at a moment that the caller has read from the same clock; moments of one writer never go back.
  package func record(
    _ type: OperationType, _ function: OperationFunction, entity: UInt16 = 0, key: Int64, values: [Int64],
    value: Int64 = 0, context: UInt32 = 0, object: Int64 = 0, at time: UInt64
  ) {
    record(
      type, function, entity: entity, key: key, count: Int64(values.count), value: value, context: context,
      object: object, at: time)
    var index = 0
    while index < values.count {
      let count = min(ElementWords.capacity, values.count - index)
      let words = ElementWords(values, from: index, count: count)
      record(
        .info, .elements, key: words.first, count: Int64(count), value: words.second, object: words.third, at: time)
      index += count
    }
  }
}

extension HistoryWriter {
  /// Appends a record about one row, and the values of the row's recorded properties; nothing follows it without values.
  ///
  /// - Parameter values: in the order of the layout's `recordedColumns`.
  package func record(
    _ type: OperationType, _ function: OperationFunction, entity: UInt16, key: Int64, value: Int64 = 0,
    context: UInt32 = 0, object: Int64 = 0, saying values: [RecordedValue]
  ) -> UInt64 {
    let time = Self.now()
    record(type, function, entity: entity, key: key, value: value, context: context, object: object, at: time)
    let codes = values.map(\.code)
    for first in stride(from: 0, to: codes.count, by: ElementWords.capacity) {
      let count = min(ElementWords.capacity, codes.count - first)
      let words = ElementWords(codes, from: first, count: count)
      record(
        .info, .elements, key: words.first, count: Int64(count), value: words.second, object: words.third, at: time)
    }
    return time
  }
}

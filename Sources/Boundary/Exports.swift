// Plans draw their orders as cells draw their data; planning and judging use nothing else of Scheduling.
@_exported import struct Scheduling.SeededRandom

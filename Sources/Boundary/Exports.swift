// Plans draw their orders as cells draw their data; nothing else of Scheduling is for those who only plan and judge.
@_exported import struct Scheduling.SeededRandom

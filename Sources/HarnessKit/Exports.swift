// What strategies and workloads of others are written with; what of it is public is what they see.
@_exported import Boundary
@_exported import Cells
// Histories are made of Checking's values; strategies and workloads wait, and run what is concurrent, through Scheduling.
@_exported import Checking
@_exported import Scenarios
@_exported import Scheduling

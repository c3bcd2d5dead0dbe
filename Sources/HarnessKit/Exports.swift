// Strategies and workloads wait, and run what is concurrent, through Scheduling; histories are made of Checking's values.
@_exported import Checking
@_exported import Scheduling

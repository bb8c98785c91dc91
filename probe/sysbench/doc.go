// Package sysbench measures the CPU with sysbench's prime-number events and
// memory with its sequential reads and writes.
//
// A memory figure says what it is a figure of: label scope is dram where all
// buffers together are at least four times the caches, and cache where each
// fits into its core's own. The block sizes are chosen here, never left at
// sysbench's default of 1 KiB, which measures the L1 cache and sysbench.
//
// It never writes to a drive, and never takes more than a quarter of the
// memory that is available.
package sysbench

// Package sysbench measures the CPU with sysbench's prime-number events and
// memory with its sequential reads and writes.
//
// Label scope says what a memory figure measures: dram if all buffers together
// are at least four times the caches, cache if each fits into its core's own.
// The block sizes are chosen here, never left at sysbench's default of 1 KiB,
// which measures the L1 cache and sysbench.
//
// It never writes to a drive, and never uses more than a quarter of the
// available memory.
package sysbench

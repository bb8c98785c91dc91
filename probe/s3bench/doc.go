// Package s3bench reads what three small S3 benchmarks and their forks print:
// igneous-systems/s3bench, wasabi-tech/s3-benchmark and dvassallo/s3-benchmark.
// Label program says which.
//
// All of them are closed loops: a client sends its next request when the last
// one is answered, and label loop says so. Their K, MB and MB/s are binary. A
// rounded zero is no figure.
//
// It never runs them, and keeps no credential of a command line.
package s3bench

// Package s3bench reads the output of three small S3 benchmarks and their
// forks: igneous-systems/s3bench, wasabi-tech/s3-benchmark and
// dvassallo/s3-benchmark. Label program names the one.
//
// All of them are closed loops: a client sends its next request once the last
// one is answered, as label loop records. Their K, MB and MB/s are binary. A
// value that was rounded to zero is dropped.
//
// It never runs them, and keeps no credentials from a command line.
package s3bench

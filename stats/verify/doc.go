// Command verify shows by simulation that the stopping rule of package stats
// keeps its promise: that the mean it stops at lies within its interval in about
// 95 of 100 series. It prints a table of coverage and stopping times and fails
// if the coverage is out of bounds.
//
// Everything derives from a seed, so every machine gets the same table. It
// measures nothing about the machine it runs on.
package main

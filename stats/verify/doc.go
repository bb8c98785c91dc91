// Command verify shows by simulation that the stopping rule of package stats
// keeps its promise: that the mean it stops at lies within the interval it gives
// in about 95 of 100 series. It prints a table of coverage and stopping times
// and fails where the coverage leaves its bounds.
//
// Everything follows from a seed, so that the same table comes out on every
// machine. It measures nothing of the machine it runs on.
package main

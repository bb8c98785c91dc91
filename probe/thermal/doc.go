// Package thermal measures how hot a host gets under a load of all its CPUs,
// how far its clock falls, and how long it takes to cool down again.
//
// The load is busy loops of sh, so that no tool is needed. The package changes
// no governor, fan or limit, starts no process itself, and never gives a
// figure for a sensor that could not be read.
package thermal

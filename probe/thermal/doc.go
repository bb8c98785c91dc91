// Package thermal measures how hot a host gets with all its CPUs under load,
// how far its clock drops, and how long it takes to cool down again.
//
// The load is busy loops of sh, so no tool is needed. The package changes no
// governor, fan or limit, starts no process itself, and never gives a figure
// for a sensor that could not be read.
package thermal

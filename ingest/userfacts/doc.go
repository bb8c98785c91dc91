// Package userfacts holds what a person knows of the machine that some output came
// from: the words of --fact, and files of them.
//
//	nic=10G,mtu=1500   pcie=gen3x4   dram=2xDDR4-2666   zfs.sync=standard
//
// A fact that was given counts like one that was taken. What is given of a drive
// is about the one block device "disk", what is given of a file system about the
// one directory "given" on it, and what is given of the network about the one
// interface "nic".
//
// It never looks at the machine that it runs on, and never guesses: what a word
// does not say stays unknown.
package userfacts

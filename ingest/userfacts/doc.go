// Package userfacts holds what a person knows about the machine that an output
// came from: the words of --fact, and files of them.
//
//	nic=10G,mtu=1500   pcie=gen3x4   dram=2xDDR4-2666   zfs.sync=standard
//
// A given fact counts like a collected one. Facts about a drive go to the one
// block device "disk", facts about a file system to the one directory "given" on
// it, and facts about the network to the one interface "nic".
//
// It never looks at the machine it runs on, and never guesses: what a word does
// not say stays unknown.
package userfacts

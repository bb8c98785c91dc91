// Package lspci learns from lspci -vv how fast the PCIe links of a machine's
// NVMe controller and network cards are: the speed and width that they have
// (LnkSta), not those that they could have (LnkCap).
//
// It never takes the emulated links of a virtual machine for real ones, and
// gives no drive a link where there are several to choose from.
package lspci

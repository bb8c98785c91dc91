// Package lspci learns the PCIe link speeds of a machine's NVMe controller and
// network cards from lspci -vv: the current speed and width (LnkSta), not the
// supported ones (LnkCap).
//
// It never mistakes a virtual machine's emulated links for real ones, and
// assigns no link to a drive if there are several candidates.
package lspci

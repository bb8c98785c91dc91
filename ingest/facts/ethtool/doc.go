// Package ethtool learns a machine's network interfaces from the output of
// ethtool (with and without -i), ip link and ip address: speed, duplex, driver,
// slot, MTU, and whether one is a bond, a VLAN or virtual.
//
// It never mistakes the speed that a card supports for its current one, and
// leaves a speed unknown if the driver does not report it.
package ethtool

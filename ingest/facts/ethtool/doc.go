// Package ethtool learns what network interfaces a machine has, from what
// ethtool (with and without -i) and ip link or ip address print: speed, duplex,
// driver, slot, MTU, whether a bond, a VLAN or a virtual one.
//
// It never takes the speed that a card supports for the one that it has, and
// leaves a speed unknown that its driver does not say.
package ethtool

// Package migrate reads the logs that Proxmox VE writes when a guest moves from
// one node to another: of virtual machines and containers, online and offline,
// with shared and with local storage, of releases 4 to 9.
//
// Every figure is one that the log says. What it calls the average migration
// speed is the guest's memory over whole seconds, whatever was sent
// (PVE/QemuMigrate.pm: ram total / delay): the figure is given as it is, with
// what was sent and the time of sending beside it, and an audit can compare them.
//
// It also moves a virtual machine of Proxmox VE itself (qm migrate), and reads the log of that,
// with how long the guest gave no answer to the host that it comes from. It moves a guest only
// where one was lent to it, between the two hosts that its subject names, and leaves bringing it
// home to what lent it.
//
// It takes no figure from a migration that failed or whose log breaks off before it was printed.
package migrate

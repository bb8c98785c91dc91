// Package migrate reads the logs that Proxmox VE writes when a guest moves from one node to
// another: of virtual machines and containers, online and offline, with shared and local
// storage, of releases 4 to 9.
//
// Every figure comes from the log. What the log calls the average migration speed is the
// guest's memory over whole seconds, whatever was sent (PVE/QemuMigrate.pm: ram total /
// delay): the figure is reported as it is, with the amount sent and the time of sending beside
// it, so that an audit can compare them.
//
// It also migrates a Proxmox VE virtual machine itself (qm migrate), and reads the log of
// that, with how long the guest did not answer its source host. It moves only a guest that was
// lent to it, between the two hosts that its subject names, and leaves bringing it home to the
// lender.
//
// It takes no figure from a failed migration, or from a log that breaks off before the figure
// was printed.
package migrate

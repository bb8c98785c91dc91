// Package drbd lends a DRBD resource of its own: a new replicated device on two or more hosts
// that the user names, over their addresses, on space made for it in a volume group, a
// dataset or a directory. It is measured on one of these hosts, which is its primary.
//
// All names come from the receipt's id: the resource is assay-ID, its configuration is a file
// in /run that is passed to drbdadm by name, and nothing in /etc/drbd.d is written. Minor and
// port are free ones. Only that resource is taken down, by its name; the space under it is
// lent and released as its kind of storage does.
package drbd

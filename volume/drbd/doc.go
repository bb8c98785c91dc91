// Package drbd lends a DRBD resource of its own: a new replicated device, on two or more
// hosts that the user names, over addresses of theirs, on space that is made for it in a
// volume group, a dataset or a directory. It is measured on one of these hosts, which is
// its primary.
//
// All names come from the receipt's id: the resource is assay-ID, its configuration a file
// in /run that drbdadm is told by name, and nothing in /etc/drbd.d is written. Minor and port
// are free ones. What is taken down is that resource alone, by its name; what lies under it
// goes as the kind of storage that it is lends and takes back.
package drbd

// Package zfs lends space in a ZFS pool: a new dataset or zvol below one that the user
// names, with the settings asked for, or a directory in an existing dataset, whose
// settings are changed meanwhile.
//
// A new dataset has its receipt's id as a property, and nothing without that property
// is ever destroyed. For an existing one, the receipt has the original values of the
// settings that change. Pools are identified by their GUID: one that was exported, and
// imported under another name, is found again.
package zfs

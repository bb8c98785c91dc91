// Package zfs lends space in a ZFS pool: a new dataset or zvol below one that the user
// names, with the settings that are asked for, or a directory in an existing dataset,
// whose settings are changed for that time.
//
// A new dataset bears its receipt's id as a property, and nothing without that property
// is ever destroyed. Of an existing one, the settings that change are in the receipt
// with their values before. Pools are known by their GUID: one that was exported, and
// imported by another name, is found again.
package zfs

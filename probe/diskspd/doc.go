// Package diskspd is the probe that measures storage of Windows guests with Microsoft's
// DiskSpd, where there is no fio.
//
// Its cases are fio's: fio determines the subjects and file sizes, and this package what
// DiskSpd cannot do. A case becomes DiskSpd's arguments; its XML, from version 2.0.20 on,
// becomes the measurements that fio's cases give, under the same names.
//
// It touches nothing but the scratch file that it is given, never makes DiskSpd create a file,
// and never starts a process itself (a place does). All it knows of Windows is from DiskSpd's
// source and what its users published.
package diskspd

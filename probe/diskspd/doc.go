// Package diskspd is the probe that measures storage of Windows guests with Microsoft's DiskSpd,
// where there is no fio.
//
// Its cases are fio's: fio says which subjects there are and how large their files, and this one
// what of it DiskSpd cannot do. A case becomes DiskSpd's arguments; its XML, of versions from
// 2.0.20 on, becomes the measurements that fio's cases give, under the same names.
//
// It never touches anything but the scratch file that it is given, never has DiskSpd make a file,
// and never starts a process itself (a place does). It knows no Windows but by what DiskSpd's
// source says and its users published.
package diskspd

// Package jobfile reads fio's own job files: which sections there are and what each asks
// for. What would write outside the space that is lent, run a command or change the
// machine is refused, with its line; an option that is on no list here is refused too,
// since nobody looked at what it does. It runs nothing and opens no file.
package jobfile

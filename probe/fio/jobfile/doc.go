// Package jobfile reads fio's own job files: their sections and what each asks for. It
// rejects, with its line, any option that would write outside the lent space, run a
// command or change the machine. Options on no list here are rejected too, since nobody
// has reviewed what they do. It runs nothing and opens no file.
package jobfile

// Package folder lends scratch space in a directory of a Windows host: a directory of its own,
// which only administrators may enter, made and removed by one PowerShell script.
//
// It refuses a directory that is a link or lies behind one, and one in which everybody may
// rename. A single user with full control of the directory is trusted. What a killed run left
// running in the space is ended when that is taken back, because Windows removes no open file.
package folder

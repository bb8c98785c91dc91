// Package folder lends scratch space in a directory of a Windows host: a new subdirectory that
// only administrators may enter, created and removed by one PowerShell script.
//
// It refuses a directory that is a link or is reached through one, and one in which everybody
// may rename. A single user with full control of the directory is trusted. Release kills
// whatever a killed run left running in the space, because Windows does not delete open files.
package folder

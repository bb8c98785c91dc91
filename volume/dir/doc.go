// Package dir lends scratch space in a directory of a mounted file system.
//
// It creates one directory with a name that no user would choose, inside the directory
// it was given, and removes it again. It never touches anything else and never takes
// the last free space. It refuses a directory in which other users may rename: with a
// link in place of its own, tools would write somewhere else.
package dir

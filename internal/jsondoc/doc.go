// Package jsondoc reads JSON documents whose fields vary between versions of a
// tool, and knows the line of each value. It never guesses: a value that is
// absent or of another type is reported as such.
package jsondoc

// Package jsondoc reads JSON documents whose fields come and go between
// versions of a tool, and knows on which line each value stands. It never
// guesses: what is absent, or of another type, says so.
package jsondoc

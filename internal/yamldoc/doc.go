// Package yamldoc reads YAML that people write. It is strict: a key that is not
// known, a value of another type and a value that its type refuses are faults, each
// with file, line and column, and with the nearest key or name that there is. It
// goes on after a fault, so that a file is told all that is wrong with it at once,
// where a decoder of YAML ends at the first.
//
// What a file may hold is declared: Decode fills structs by their yaml tags, and the
// types of their fields say what may stand there (encoding.TextUnmarshaler, Validator).
// Where a mapping is no struct, Pairs, Items and Fields walk it.
//
// It opens no file, and knows nothing of what the values mean.
package yamldoc

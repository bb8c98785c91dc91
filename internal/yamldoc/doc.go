// Package yamldoc reads YAML that people write. It is strict: an unknown key, a value
// of the wrong type and a value that its type refuses are faults, each with file, line
// and column, and with the nearest known key or name. It continues after a fault, so
// that it reports everything wrong with a file at once, where YAML decoders stop at the
// first.
//
// What a file may hold is declared: Decode fills structs by their yaml tags, and the
// types of their fields define what they accept (encoding.TextUnmarshaler, Validator).
// Mappings that are not structs are walked with Pairs, Items and Fields.
//
// It opens no files, and knows nothing of what the values mean.
package yamldoc

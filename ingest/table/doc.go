// Package table reads a published table as evidence: a CSV or YAML file that
// somebody filled in, or a table in a blog.
//
// CSV and YAML are strict: a metric, unit or setting that is not known is an
// error with its line, and the nearest name that is. A table in running text is
// read only where header, caption and cell leave no doubt what a figure is;
// what looks like a figure and leaves one is listed as unread, with the reason.
//
// It never judges a figure, never converts what it cannot name, and never
// supplies a setting that is not written down.
package table

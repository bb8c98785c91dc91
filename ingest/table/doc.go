// Package table reads a published table as evidence: a CSV or YAML file that
// somebody filled in, or a table in a blog.
//
// CSV and YAML are strict: an unknown metric, unit or setting is an error with
// its line and the nearest known name. A table in running text is read only
// where header, caption and cell leave no doubt what a figure is; a doubtful
// figure is listed as unread, with the reason.
//
// It never judges a figure, never converts what it cannot name, and never
// supplies a setting that is not written down.
package table

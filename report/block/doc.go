// Package block is what assay prints, apart from how it looks: a Document is a list of blocks,
// each a heading, a sentence, a table, a plot and so on.
//
// The voices (report/term, report/html, report/markdown, report/json, report/csv) render
// blocks and know nothing else. New content is a function that returns blocks, without changes
// to any voice. Blocks say what something is ("rejected", "worse than the others"), never how
// it looks. Texts may come from anywhere: each voice begins with Document.Printable, and a
// test enforces that. The zero value of every type here can be rendered. Every field in JSON
// is in schema.json too: a test checks that.
package block

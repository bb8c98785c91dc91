package report

import "assay/analysis"

// A Document holds the results of the analysis unchanged. Code that reads its
// figures needs only these types.

// Section is analysis.Section.
type Section = analysis.Section

// Row is analysis.Row.
type Row = analysis.Row

// Figure is analysis.Figure.
type Figure = analysis.Figure

// Ceiling is analysis.Ceiling.
type Ceiling = analysis.Ceiling

// Footnote is analysis.Footnote.
type Footnote = analysis.Footnote

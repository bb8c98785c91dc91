package report

import "assay/analysis"

// What the analysis found is in a Document as it is. A reader of its figures needs
// these types only.

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

// Package html writes a document of blocks as one self-contained HTML file: its
// style, its plots and their data are inside, and it makes no network requests.
//
// All text and tables are written here and are complete without JavaScript; the
// script adds the plots, the choice of theme and what printing needs. npm
// bundles the script from web/ into dist/; the bundle is not committed, and a
// build without it writes the same page with a sentence in place of the plots.
//
// This package decides how blocks look. It knows no run, computes and judges no
// figure, and opens no file.
package html

// Package html writes a document of blocks as one HTML file that needs nothing
// else: its style, its plots and their data are inside, and it asks no network
// for anything.
//
// All text and every table are written here and are whole without JavaScript;
// the script adds the plots, the choice of theme and what printing needs. The
// script is bundled from web/ into dist/ by npm and is not committed: a build
// without it writes the same page with a sentence in place of the plots.
//
// This package decides how blocks look. It knows no run, computes no figure,
// judges none, and opens no file.
package html

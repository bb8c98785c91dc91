// Package versus puts a comparison into words: it names figures, ratios,
// verdicts and differences the same in every voice.
//
// It neither judges nor lays anything out: that is left to package compare and
// the voices.
package versus

package main

import "assay/report/versus"

// What is said of a row, in the tables of every verb that compares.
var (
	rowTitle  = versus.Title
	sameCount = versus.SameCount
	cellText  = versus.Median
	ratioText = versus.Ratio
)

// mostWhy is how many letters of a reason a table shows.
const mostWhy = versus.MostWhy

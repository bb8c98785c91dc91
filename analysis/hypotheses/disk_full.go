package hypotheses

// diskFull is a file system that is nearly full.
var diskFull = Hypothesis{
	ID: "disk-full", Layer: "storage", Name: "a file system that is nearly full", Usual: 4, Standing: true,
	Slows:   slows(.6, writes...).and(seldom, reads...),
	Clues:   []Clue{{Ask: hasSetting("free space", not("enough")), If: .97, Else: .003, Proves: true, Says: "its file system has {own}"}},
	Decides: "df on that host",
	Remedy:  "Make room on {host}: df -h, du -xh --max-depth=1",
}

package hypotheses

// driveLink is a drive on a slower bus than the others': USB, SATA, fewer lanes.
var driveLink = Hypothesis{
	ID: "drive-link", Layer: "storage", Name: "a slower link to its drive", Usual: 3, Slower: true,
	Slows:   slows(.93, LargeReads, LargeWrites).and(.6, RandomReads, DeviceReads, RandomWrites).and(.3, SyncWrites),
	Clues:   []Clue{{Ask: hasLess("measured link"), If: .97, Else: .001, Proves: true, Says: "its drive is on {own}, which is slower than theirs"}},
	Decides: "lspci -vv: LnkSta against LnkCap of the drive, or dmesg | grep 'SATA link up'",
	Remedy:  "Give {host} a drive and slot like the others': lspci -vv | grep -E 'LnkCap|LnkSta'",
}

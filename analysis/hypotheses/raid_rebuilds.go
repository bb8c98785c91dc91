package hypotheses

import "strings"

// raidRebuilds is an array that rebuilds a member.
var raidRebuilds = Hypothesis{
	ID: "raid-rebuilds", Layer: "storage", Name: "a RAID rebuild in progress", Usual: 3, Standing: true,
	Slows:   slows(.7, storage...),
	Clues:   []Clue{{Ask: hasSetting("RAID resync", func(t string) bool { return t != "none" && !scrubs(t) }), If: .97, Else: .001, Proves: true, Says: "its RAID array is busy ({own})"}},
	Decides: "cat /proc/mdstat on that host",
	Remedy:  "Let the array of {host} finish, then measure again: cat /proc/mdstat",
}

// raidScrubs is an array that reads itself completely, to compare.
var raidScrubs = Hypothesis{
	ID: "raid-scrubs", Layer: "storage", Name: "a RAID check in progress", Usual: 3, Standing: true,
	Slows:   slows(.7, storage...),
	Clues:   []Clue{{Ask: hasSetting("RAID resync", scrubs), If: .97, Else: .001, Proves: true, Says: "its RAID array is checked ({own})"}},
	Decides: "cat /proc/mdstat on that host",
	Remedy:  "Let the check on {host} finish, or stop it, then measure again: echo idle > /sys/block/MD/md/sync_action",
}

func scrubs(text string) bool { return strings.Contains(text, "check") }

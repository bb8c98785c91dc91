package hypotheses

// driveCache is a drive whose write cache is off.
var driveCache = Hypothesis{
	ID: "drive-cache", Layer: "storage", Name: "a disabled write cache", Usual: 4,
	Slows:   slows(.85, LargeWrites, RandomWrites).and(.3, SyncWrites),
	Clues:   []Clue{{Ask: alone(measured(cacheOf), not("write back")), If: .95, Else: .01, Proves: true, Says: "the write cache of its drive is {own}, theirs {theirs}"}},
	Decides: "cat /sys/block/DISK/queue/write_cache on that host",
	Remedy:  "Enable the write cache of {host}'s drive: hdparm -W1 DISK, or nvme set-feature DISK --feature-id=6 --value=1",
}

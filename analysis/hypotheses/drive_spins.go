package hypotheses

// driveSpins is a hard disk where the others have flash.
var driveSpins = Hypothesis{
	ID: "drive-spins", Layer: "storage", Name: "a spinning disk", Usual: 10, Slower: true,
	Slows:   slows(.95, RandomReads, SyncWrites, RandomWrites).and(.6, DeviceReads, LargeReads, LargeWrites),
	Clues:   []Clue{{Ask: hasSetting("measured medium", with("spinning")), If: .97, Else: .0005, Proves: true, Says: "its drive is a spinning disk; theirs are SSDs"}},
	Decides: "cat /sys/block/DISK/queue/rotational on that host",
	Remedy:  "Give {host} a flash drive like the others'",
}

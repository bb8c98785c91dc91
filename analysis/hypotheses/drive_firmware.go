package hypotheses

import "assay"

// driveFirmware is the same drive with other firmware.
var driveFirmware = Hypothesis{
	ID: "drive-firmware", Layer: "storage", Name: "other firmware on its drive", Usual: 4, Slower: true,
	Slows: slows(.5, storage...),
	Clues: []Clue{{Ask: alone(measured(func(b assay.BlockDevice) string { return b.Firmware }), func(string) bool { return true }),
		If: .97, Else: .05, Says: "the firmware of its drive is {own}, theirs {theirs}"}},
	Decides: "update its firmware and measure again",
	Remedy:  "Update the firmware of {host}'s drive: fwupdmgr update, or the maker's tool",
}

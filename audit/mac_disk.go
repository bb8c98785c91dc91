package audit

import (
	"fmt"

	"assay"
	"assay/internal/lazyregexp"
)

var macDisk = Rule{
	ID: "mac-disk", Number: 117, Applies: "dd", Severities: "I",
	Title:   "A Mac's disk through the buffer cache",
	Formula: "dd reads or writes /dev/diskN, which only macOS has",
	Source:  "hdiutil(1) of macOS, device special files: /dev/disk is buffered, /dev/rdisk goes to the device itself",
	Example: "of=/dev/disk2",
	Check: func(e Evidence) []assay.Finding {
		var found []assay.Finding
		for _, l := range e.looks() {
			metric := l.speed()
			if !l.foreign() || metric == "" || l.label("", "tool") != "dd" {
				continue
			}
			for _, name := range []string{"of", "if"} {
				device := operand(l.argv(), name)
				if !bufferedOnMac.MatchString(device) {
					continue
				}
				found = append(found, l.finding("mac-disk", assay.Informs, []string{metric}, fmt.Sprintf("%s=%s", name, device),
					"macOS moves each block of this device through its buffer cache in small pieces: the raw device is several times as fast",
					"use the raw device: "+name+"=/dev/r"+device[len("/dev/"):]))
				break
			}
		}
		return found
	},
}

// bufferedOnMac matches a disk or partition by its macOS name.
var bufferedOnMac = lazyregexp.New(`^/dev/disk\d+(?:s\d+)?$`)

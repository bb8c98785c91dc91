package limits

import (
	"strconv"

	"assay"
)

// Fastest is the most that anything sold by the date does: what is above it needs
// no fact about the machine to be wrong. Each has its source and year; a newer
// product moves it.
type Fastest struct {
	Limit
	What   string // "a single drive"
	Source string
	Year   int
}

// The limits of the date.
var (
	// FastestDrive is what the widest link of any single drive carries.
	FastestDrive = Fastest{
		Limit: Link(PCIe(64, 4)), What: "any single drive's link",
		Source: "PCIe Gen6 x4, as of Micron's 9650, the first drive with it", Year: 2025,
	}
	// FastestAnswer is below what any block device takes for one operation.
	FastestAnswer = Fastest{
		Limit: Limit{Name: "answer of a block device", Value: 3e-6, Unit: assay.Seconds}, What: "any flash or Optane drive",
		Source: "Intel Optane P5800X, 5 µs for 4 KiB; flash takes 10 µs and more to read a page", Year: 2021,
	}
	// FastestMemory is what the memory of one host gives.
	FastestMemory = Fastest{
		Limit: Limit{
			Name: "memory of two sockets", Value: 2 * 12 * 8 * 8800e6, Unit: assay.BytesPerSecond,
			Sum: "2 sockets x 12 channels x 8 B x 8,800 MT/s",
		}, What: "any host's memory modules",
		Source: "MRDIMM-8800 in Intel's Xeon 6 6900P", Year: 2024,
	}
	// FastestPort is the line of the fastest network port.
	FastestPort = Fastest{
		Limit: Limit{Name: "network port", Value: 800e9 / 8, Unit: assay.BytesPerSecond, Sum: "800 Gbit/s / 8"}, What: "any network port",
		Source: "Nvidia ConnectX-8", Year: 2025,
	}
)

// Cited is the source with its year, for a sentence.
func (f Fastest) Cited() string { return f.Source + " (" + strconv.Itoa(f.Year) + ")" }

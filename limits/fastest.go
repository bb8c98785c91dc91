package limits

import (
	"strconv"

	"assay"
)

// Fastest is the most that anything sold to date can do: a figure above it is
// wrong, whatever the machine. Each has its source and year; a newer product
// raises it.
type Fastest struct {
	Limit
	What   string // "a single drive"
	Source string
	Year   int
}

// The limits to date.
var (
	// FastestDrive is the rate of the widest link of any single drive.
	FastestDrive = Fastest{
		Limit: Link(PCIe(64, 4)), What: "any single drive's link",
		Source: "PCIe Gen6 x4, as of Micron's 9650, the first drive with it, which reads 28 GB/s", Year: 2025,
	}
	// FastestAnswer is less than any block device takes for one operation.
	FastestAnswer = Fastest{
		Limit: Limit{Name: "answer of a block device", Value: 3e-6, Unit: assay.Seconds}, What: "any flash or Optane drive",
		Source: "Intel Optane P5800X, under 6 µs at depth 1 by its product brief; flash takes 10 µs and more to read a page", Year: 2021,
	}
	// FastestModules is the bandwidth of the memory modules of one host: eight
	// sockets beat the two with more and faster channels each (Xeon 6 6900P,
	// 1.69 TB/s).
	FastestModules = Fastest{
		Limit: Limit{
			Name: "memory modules of eight sockets", Value: 8 * 8 * 8 * 8000e6, Unit: assay.BytesPerSecond,
			Sum: "8 sockets x 8 channels x 8 B x 8,000 MT/s",
		}, What: "any host's memory modules",
		Source: "eight Intel Xeon 6 6700P with MRDIMM-8000", Year: 2025,
	}
	// FastestMemory is the memory bandwidth of one host, including HBM in its CPU packages.
	// Azure's HBv5 (four EPYC 9V64H, 6.9 TB/s, 2024) and Xeon Max are below it.
	FastestMemory = Fastest{
		Limit: Limit{
			Name: "HBM of four sockets", Value: 4 * 5.3e12, Unit: assay.BytesPerSecond,
			Sum: "4 sockets x 5.3 TB/s of HBM3",
		}, What: "any host's memory",
		Source: "four AMD MI300A, as in the nodes of El Capitan", Year: 2024,
	}
	// FastestPort is the line rate of the fastest network port.
	FastestPort = Fastest{
		Limit: Limit{Name: "network port", Value: 800e9 / 8, Unit: assay.BytesPerSecond, Sum: "800 Gbit/s / 8"}, What: "any network port",
		Source: "Nvidia ConnectX-8, InfiniBand XDR and 800 Gbit/s Ethernet", Year: 2025,
	}
)

// Cited returns the source with its year, for a sentence.
func (f Fastest) Cited() string { return f.Source + " (" + strconv.Itoa(f.Year) + ")" }

package reference

import (
	"fmt"
	"strings"
	"sync"

	"assay"
)

// Kind is what a published figure measures.
type Kind string

// The kinds.
const (
	OfDrive   Kind = "drive"
	OfStack   Kind = "stack" // replicated storage
	OfNetwork Kind = "network"
)

// Source is where a figure was found.
type Source struct {
	Title string `json:"title,omitempty"`
	URL   string `json:"url,omitempty"`  // or that none is known
	Date  string `json:"date,omitempty"` // year and month, or "not dated"
	Note  string `json:"note,omitempty"`
}

// Figure is one published figure with all that is known of how it was measured.
type Figure struct {
	Metric   string
	What     string // Micron 9300
	Class    string // the class: an NVMe SSD with PLP
	Kind     Kind
	Low      float64 // in the metric's unit; Low == High for a single figure
	High     float64
	Settings Settings
	Rated    bool // a vendor's rating, not measured
	Landmark bool // well known: figures far off are compared with it
	Turns    bool // has platters: random and sequential differ greatly
	Source   Source
}

type figuresFile struct {
	Sources map[string]Source    `json:"sources,omitempty"`
	Classes map[string]classLine `json:"classes,omitempty"`
	Groups  []groupLines         `json:"groups,omitempty"`
}

type classLine struct {
	Name  string `json:"name,omitempty"`
	Kind  Kind   `json:"kind,omitempty"`
	Turns bool   `json:"turns,omitempty"`
}

type groupLines struct {
	Metric   string       `json:"metric,omitempty"`
	Source   string       `json:"source,omitempty"`
	Rated    bool         `json:"rated,omitempty"`
	Settings Settings     `json:"settings,omitempty"`
	Figures  []figureLine `json:"figures,omitempty"`
}

type figureLine struct {
	What     string  `json:"what,omitempty"`
	Class    string  `json:"class,omitempty"`
	Value    float64 `json:"value,omitempty"`
	MBps     float64 `json:"mbps,omitempty"`
	MBpsTo   float64 `json:"mbps_to,omitempty"`
	Landmark bool    `json:"landmark,omitempty"`
}

// figures are all published figures, measured and rated, in the order of
// figures.yaml and then of drives.yaml. It panics if either cannot be read,
// which is a bug in this repository that a test finds.
var figures = sync.OnceValue(func() []Figure {
	all, err := published().Figures.all()
	if err != nil {
		panic(err)
	}
	return append(all, ratings(families())...)
})

// all checks a figure's references to elsewhere in the file, and converts to base
// units.
func (file figuresFile) all() ([]Figure, error) {
	var all []Figure
	for _, g := range file.Groups {
		source, known := file.Sources[g.Source]
		if !known {
			return nil, fmt.Errorf("figures.yaml: unknown source %q", g.Source)
		}
		m, known := assay.Describe(g.Metric)
		if !known {
			return nil, fmt.Errorf("figures.yaml: unknown metric %q", g.Metric)
		}
		for _, line := range g.Figures {
			class, known := file.Classes[line.Class]
			if !known {
				return nil, fmt.Errorf("figures.yaml: %s: unknown class %q", line.What, line.Class)
			}
			low, high, err := line.values(m.Unit, g.Settings.Block)
			if err != nil {
				return nil, fmt.Errorf("figures.yaml: %s: %w", line.What, err)
			}
			all = append(all, Figure{
				Metric: g.Metric, What: line.What, Class: class.Name, Kind: class.Kind, Low: low, High: high,
				Settings: g.Settings, Rated: g.Rated, Landmark: line.Landmark, Turns: class.Turns, Source: source,
			})
		}
	}
	return all, nil
}

// values returns the minimum and maximum of a line in the metric's unit.
func (l figureLine) values(unit assay.Unit, block int64) (low, high float64, err error) {
	if (l.Value > 0) == (l.MBps > 0) {
		return 0, 0, fmt.Errorf("either value or mbps, above 0")
	}
	if l.Value > 0 {
		return l.Value, l.Value, nil
	}
	scale := 1e6
	switch unit {
	case assay.BytesPerSecond:
	case assay.PerSecond:
		if block <= 0 {
			return 0, 0, fmt.Errorf("mbps needs bs to be operations")
		}
		scale /= float64(block)
	default:
		return 0, 0, fmt.Errorf("mbps is no %s", unit)
	}
	low, high = l.MBps*scale, max(l.MBps, l.MBpsTo)*scale
	return low, high, nil
}

// ratings returns vendors' ratings of their drives, classed by the interface
// that limits them.
func ratings(families []family) []Figure {
	var all []Figure
	for _, f := range families {
		class := classOfInterface(f.Interface)
		if class == "" {
			continue
		}
		for _, s := range f.Sizes {
			for _, r := range []struct {
				metric, pattern string
				value           float64
			}{
				{"storage.read.iops", "randread", s.ReadIOPS},
				{"storage.write.iops", "randwrite", s.WriteIOPS},
				{"storage.read.bandwidth", "read", s.Read * 1e6},
				{"storage.write.bandwidth", "write", s.Write * 1e6},
			} {
				if r.value <= 0 {
					continue
				}
				all = append(all, Figure{
					Metric: r.metric, What: ratedName(f.Vendor, f.Name, s.GB), Class: class, Kind: OfDrive,
					Low: r.value, High: r.value, Settings: ratedSettings(r.pattern), Rated: true,
					Source: Source{Title: f.Source, URL: "named in the title", Date: "not dated"},
				})
			}
		}
	}
	return all
}

// ratedName names one size of a model; gb is the size on its label.
func ratedName(vendor, model string, gb int64) string {
	return fmt.Sprintf("%s %s %d GB", vendor, model, gb)
}

// ratedSettings returns the settings of drives.yaml: 4 KiB at random, at a
// depth of the vendor's choice, and sequential transfers of the vendor's size.
func ratedSettings(pattern string) Settings {
	s := Settings{Pattern: pattern}
	if strings.HasPrefix(pattern, "rand") {
		s.Block = 4096
	}
	return s
}

func classOfInterface(name string) string {
	switch {
	case strings.HasPrefix(name, "SATA"):
		return "a SATA SSD"
	case strings.HasPrefix(name, "PCIe Gen3"):
		return "an NVMe SSD on PCIe Gen3 x4"
	case strings.HasPrefix(name, "PCIe Gen4"):
		return "an NVMe SSD on PCIe Gen4 x4"
	}
	return ""
}

package reference

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode"

	"assay/internal/lazyregexp"
)

// DriveModel is a vendor's rating of a drive. 0 and nil mean that the source
// does not say.
type DriveModel struct {
	Vendor      string
	Model       string
	Bytes       int64   // on the label
	Interface   string  // as in "PCIe Gen3 x4"
	Read, Write float64 // B/s, sequential, "up to"
	ReadIOPS    float64 // 1/s, 4 KiB random at depth, "up to"
	WriteIOPS   float64
	TBW         float64 // rated B written
	PLP         *bool   // power-loss protection
	Source      string  // where the figures come from
}

type family struct {
	Vendor    string `json:"vendor,omitempty"`
	Name      string `json:"name,omitempty"`
	Interface string `json:"interface,omitempty"`
	PLP       *bool  `json:"plp,omitempty"`
	Source    string `json:"source,omitempty"`
	Sizes     []size `json:"sizes,omitempty"`

	words []string // of Name
}

type size struct {
	GB        int64    `json:"gb,omitempty"`
	Read      float64  `json:"read,omitempty"`
	Write     float64  `json:"write,omitempty"`
	ReadIOPS  float64  `json:"read_iops,omitempty"`
	WriteIOPS float64  `json:"write_iops,omitempty"`
	TBW       float64  `json:"tbw,omitempty"`
	Parts     []string `json:"parts,omitempty"`
}

// families are the drive families of drives.yaml.
var families = sync.OnceValue(func() []family {
	all := published().Drives
	for i := range all {
		all[i].words = modelWords(all[i].Name)
	}
	return all
})

// sizeSlack is how far a drive's size may be from its label: 512 GB is sold as
// the same model as 500 GB, 480 GB is another one.
const sizeSlack = .035

// Drive returns the vendor's rating of a drive. model is the drive's own model
// string, with or without vendor, capacity and order number; bytes is its size,
// or 0 if only the name can tell. ok is false if the model, or this size of it,
// is unknown.
func Drive(model string, bytes int64) (d DriveModel, ok bool) {
	words := modelWords(model)
	if len(words) == 0 {
		return d, false
	}
	if bytes <= 0 {
		bytes = namedBytes(model)
	}
	best := -1
	for i, f := range families() {
		if f.isOrdered(model) {
			best = i
			break
		}
		if f.isNamed(words) && (best < 0 || len(f.words) > len(families()[best].words)) {
			best = i
		}
	}
	if best < 0 {
		return d, false
	}
	f := families()[best]
	s, ok := f.sized(model, bytes)
	if !ok {
		return d, false
	}
	return DriveModel{
		Vendor: f.Vendor, Model: f.Name, Bytes: s.GB * 1e9, Interface: f.Interface,
		Read: s.Read * 1e6, Write: s.Write * 1e6, ReadIOPS: s.ReadIOPS, WriteIOPS: s.WriteIOPS,
		TBW: s.TBW * 1e12, PLP: f.PLP, Source: f.Source,
	}, true
}

// isOrdered reports whether model contains an order number of the family.
func (f family) isOrdered(model string) bool {
	return slices.ContainsFunc(f.Sizes, func(s size) bool { return s.isOrdered(model) })
}

func (s size) isOrdered(model string) bool {
	return slices.ContainsFunc(s.Parts, func(part string) bool {
		return strings.Contains(strings.ToUpper(model), part)
	})
}

// isNamed reports whether words begin with the family's name, and nothing that
// follows makes it another model: an "EVO Plus" is not an "EVO".
func (f family) isNamed(words []string) bool {
	if len(words) < len(f.words) || !slices.Equal(words[:len(f.words)], f.words) {
		return false
	}
	return !slices.ContainsFunc(words[len(f.words):], isModelWord)
}

// isModelWord reports whether a word distinguishes models (PLUS, QVO, X) and is
// not an order number, which has a digit or is long.
func isModelWord(word string) bool {
	return len(word) <= 5 && !strings.ContainsFunc(word, unicode.IsDigit)
}

// sized returns the family's entry for that size; an order number alone is enough.
func (f family) sized(model string, bytes int64) (size, bool) {
	for _, s := range f.Sizes {
		if s.isOrdered(model) {
			return s, true
		}
	}
	for _, s := range f.Sizes {
		label := float64(s.GB) * 1e9
		if math.Abs(float64(bytes)-label) <= sizeSlack*label {
			return s, true
		}
	}
	return size{}, false
}

// noise lists what model strings contain besides the name: vendors, and
// marketing words.
var noise = map[string]bool{
	"SAMSUNG": true, "WDC": true, "WD": true, "WDS": true, "WESTERN": true, "DIGITAL": true, "BLACK": true,
	"INTEL": true, "SK": true, "HYNIX": true, "SKHYNIX": true, "MICRON": true, "KINGSTON": true, "ATA": true,
	"SSD": true, "SSDSC2BA": true, "NVME": true, "SERIES": true, "WITH": true, "HEATSINK": true, "MAX": true,
	"M": true, "MZ": true, "DISK": true, "SATA": true, "PCIE": true, "GB": true, "TB": true,
}

var (
	capacity = lazyregexp.New(`^([0-9]+(?:\.[0-9]+)?)(GB|TB|G|T)$`)
	wordGaps = lazyregexp.New(`[^A-Z0-9.]+`)
)

// modelWords splits a model string into the words of its name, in upper case,
// without vendors and capacities.
func modelWords(model string) []string {
	words := wordGaps.Split(strings.ToUpper(model), -1)
	return slices.DeleteFunc(words, func(w string) bool {
		return w == "" || noise[w] || capacity.MatchString(w)
	})
}

// namedBytes returns the capacity in a model's name, or 0 if there is none.
func namedBytes(model string) int64 {
	words := wordGaps.Split(strings.ToUpper(model), -1)
	for i, w := range words {
		if i+1 < len(words) && (words[i+1] == "GB" || words[i+1] == "TB") {
			w += words[i+1]
		}
		m := capacity.FindStringSubmatch(w)
		if m == nil {
			continue
		}
		v, err := strconv.ParseFloat(m[1], 64)
		if err != nil || v > 1e6 {
			continue
		}
		if m[2][0] == 'T' {
			v *= 1000
		}
		return int64(v * 1e9)
	}
	return 0
}

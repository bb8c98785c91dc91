package assay

// Link is the speed of the path to a device: the speed of its slowest hop.
type Link struct {
	Kind    string  `json:"kind"`          // pcie, sata, usb, sd, emmc
	Mode    string  `json:"mode"`          // "Gen3 x4", "6.0 Gb/s", "480 Mb/s", "HS400"
	Ceiling float64 `json:"ceiling"`       // payload B/s that cannot be exceeded
	GTs     float64 `json:"gts,omitempty"` // pcie only
	Lanes   int     `json:"lanes,omitempty"`
	At      string  `json:"at,omitempty"` // the slowest hop
}

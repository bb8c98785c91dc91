package block

// Links is a picture of hosts and the paths between them, by how much of what
// is expected each carries.
type Links struct {
	Title string     `json:"title,omitempty"`
	Aside string     `json:"aside,omitempty"` // what a share of 1 is
	Hosts []LinkHost `json:"hosts"`
	Ways  []Way      `json:"ways"`
	// Said is what stands out in it, in words, for voices that cannot draw.
	Said []Sentence `json:"said"`
}

// LinkHost is a host of a picture.
type LinkHost struct {
	Name string `json:"name"`
	Is   Kind   `json:"is,omitempty"`   // bad where the host is worse than the others
	Text string `json:"text,omitempty"` // in what
}

// Way is a path from one host to another.
type Way struct {
	From  string `json:"from"`
	To    string `json:"to"`
	Via   string `json:"via,omitempty"` // the third host or gateway that it goes through, where none should be
	Share Number `json:"share"`         // of what is expected; null where there is no figure
	Is    Kind   `json:"is,omitempty"`
	Text  string `json:"text,omitempty"` // its figure, or why there is none
}

package hosts

import (
	"assay/lab/internal/home"
	"assay/lab/internal/marked"
)

// state is what must be known to take a lab down. It is on disk before anything
// it names is made.
type state struct {
	ID    string `json:"id"`    // marks the lab's processes, in their environment
	Octet int    `json:"octet"` // the addresses are 10.Octet.0.0/16
	Hosts []Host `json:"hosts"`
	Ready bool   `json:"ready"` // everything was made
	Cable int    `json:"cable"` // index of this machine's interface; 0 not made yet
	// Bounded lists the loop devices, as major:minor, whose speed was limited:
	// a limit stays with the device when its file is gone.
	Bounded []string `json:"bounded,omitempty"`
}

// The files of a lab.
const (
	keyFile     = "key" // the user's; key.pub beside it
	configFile  = "ssh_config"
	knownFile   = "known_hosts"
	clusterFile = "cluster.yaml"
	hostsDir    = "hosts" // NAME: a mount point; NAME.img, .key, .key.pub, .sh, .log
)

func homeOf(dir string) home.Home {
	return home.Home{Dir: dir, State: "state.json",
		Files: []string{keyFile, keyFile + ".pub", configFile, knownFile, clusterFile, hostsDir}}
}

// readState returns fs.ErrNotExist if there is no lab in dir.
func readState(dir string) (state, error) {
	var s state
	err := homeOf(dir).Read(&s)
	if err == nil && (len(s.ID) != 16 || check(s.Hosts) != nil) {
		err = homeOf(dir).Foreign()
	}
	return s, err
}

// processes returns the first processes of the lab's hosts and switches.
func (l *Lab) processes() marked.Family {
	return marked.Family{Lab: "ASSAY_LAB", Name: "ASSAY_LAB_HOST", ID: l.state.ID, Firsts: true}
}

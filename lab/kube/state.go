package kube

import (
	"assay/lab/internal/home"
	"assay/lab/internal/marked"
)

// state is what is needed to take a lab down. It is on disk before what it
// names is made.
type state struct {
	ID    string `json:"id"`    // marks the lab's processes, control groups and loop devices
	Octet int    `json:"octet"` // the addresses are 10.Octet.0.0/16
	Nodes int    `json:"nodes"`
	Ready bool   `json:"ready"` // everything was made
	Cable int    `json:"cable"` // index of this machine's interface; 0 not made yet
}

// The files of a lab.
const (
	hostsDir = "hosts" // NAME: a mount point; NAME.img, .sh, .log; NAME.etc, NAME.logs: directories
	pkiDir   = "pki"   // NAME.crt, NAME.key
	usersDir = "users" // NAME.kubeconfig
)

func homeOf(dir string) home.Home {
	return home.Home{Dir: dir, State: "kube.json", Files: []string{hostsDir, pkiDir, usersDir}}
}

// readState returns fs.ErrNotExist if there is no lab in dir.
func readState(dir string) (state, error) {
	var s state
	err := homeOf(dir).Read(&s)
	if err == nil && (len(s.ID) != 12 || s.Nodes < 1) {
		err = homeOf(dir).Foreign()
	}
	return s, err
}

// processes returns the first processes of the lab's hosts.
func (l *Lab) processes() marked.Family {
	return marked.Family{Lab: "ASSAY_KUBE_LAB", Name: "ASSAY_KUBE_HOST", ID: l.state.ID, Firsts: true}
}

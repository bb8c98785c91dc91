package fio

import (
	"fmt"
	"strings"

	"assay"
)

// engineImage is fio's engine for images of Ceph's block device, through librbd.
const engineImage = "rbd"

// flushEach has fio flush after every write: librbd knows no write that is synchronous by
// itself, and fio's engine leaves the option sync unheeded.
const flushEach = "--fsync=1"

// onImage is how an image is loaded with what was asked for: by one client that opens it
// once, as a virtual machine does, with as much in flight as all jobs had together. Jobs
// that each open it would take the image's lock from each other.
func (s settings) onImage() settings {
	s.engine, s.depth, s.jobs = engineImage, s.depth*s.jobs, 1
	return s
}

// imageCommand is fio's command line for one job on an image.
func imageCommand(job string, i assay.Image, args []string) ([]string, error) {
	for _, word := range []string{i.Pool, i.Name, i.User} {
		if strings.ContainsAny(word, ":#;,=\n\r\x00") || strings.HasPrefix(word, "-") {
			return nil, fmt.Errorf("fio cannot use %q as a name of Ceph's", word)
		}
	}
	user := i.User
	if user == "" {
		user = "admin"
	}
	argv := append([]string{"fio", "--name=" + job}, args...)
	// These are the engine's own options: fio knows them once the engine is named.
	return append(argv, "--clientname="+user, "--pool="+i.Pool, "--rbdname="+i.Name), nil
}

// reach is the environment in which fio finds the scratch space: its options can name neither
// a keyring nor a configuration.
func reach(s assay.Scratch) []string {
	var env []string
	if s.Image != nil && s.Image.Keyring != "" {
		env = append(env, "CEPH_KEYRING="+s.Image.Keyring)
	}
	if s.Image != nil && s.Image.Conf != "" {
		env = append(env, "CEPH_CONF="+s.Image.Conf)
	}
	return env
}

// nameOf is what is told of scratch space.
func nameOf(s assay.Scratch) string {
	if s.Image != nil {
		return s.Image.Pool + "/" + s.Image.Name
	}
	return s.File
}

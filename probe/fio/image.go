package fio

import (
	"fmt"
	"strings"

	"assay"
)

// engineImage is fio's engine for Ceph block device images, through librbd.
const engineImage = "rbd"

// flushEach makes fio flush after every write: librbd has no synchronous writes, and
// fio's engine ignores the option sync.
const flushEach = "--fsync=1"

// onImage returns the settings for an image: one client opens it once, as a virtual
// machine does, with as many operations in flight as all jobs together. Jobs that each
// opened the image would take its lock from each other.
func (s settings) onImage() settings {
	s.engine, s.depth, s.jobs = engineImage, s.depth*s.jobs, 1
	return s
}

// imageCommand returns fio's command line for one job on an image.
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
	// These are the engine's own options: fio accepts them only after the engine
	// is named.
	return append(argv, "--clientname="+user, "--pool="+i.Pool, "--rbdname="+i.Name), nil
}

// reach returns the environment in which fio finds the scratch space: its options can set
// neither a keyring nor a configuration.
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

// nameOf names scratch space in messages.
func nameOf(s assay.Scratch) string {
	if s.Image != nil {
		return s.Image.Pool + "/" + s.Image.Name
	}
	return s.File
}

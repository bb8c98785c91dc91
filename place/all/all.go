package all

import (
	"assay"
	"assay/place/local"
	"assay/place/ssh"
)

// Local is this machine. Its commands carry mark in their environment.
func Local(host, mark string) assay.Place { return local.New(host, mark) }

// Remote is a host that is reached over SSH.
func Remote(host assay.Host, o ssh.Options) assay.Place { return ssh.New(host, o) }

// Kinds are the folders that hold a place.
var Kinds = []string{"local", "ssh"}

// Decorators are the folders that hold no place of their own.
var Decorators = []string{"record", "replay"}

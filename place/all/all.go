package all

import (
	"assay"
	"assay/place/guest"
	placekube "assay/place/kube"
	"assay/place/local"
	"assay/place/ssh"
	"assay/stacks/kube"
)

// Local returns this machine. Its commands carry mark in their environment.
func Local(host, mark string) assay.Place { return local.New(host, mark) }

// Remote returns a host reached over SSH.
func Remote(host assay.Host, o ssh.Options) assay.Place { return ssh.New(host, o) }

// Guest returns a virtual machine reached through its hypervisor.
func Guest(host assay.Host, o guest.Options) assay.Place { return guest.New(host, o) }

// Windows returns a Windows virtual machine reached through its hypervisor.
func Windows(host assay.Host, o guest.Options) assay.Place { return guest.NewWindows(host, o) }

// Pod returns a pod on a Kubernetes node.
func Pod(c *kube.Cluster, o placekube.Options) *placekube.Place { return placekube.New(c, o) }

// Kinds lists the folders that hold a place.
var Kinds = []string{"guest", "kube", "local", "ssh"}

// Shared lists the folders that several places build on.
var Shared = []string{"drain", "remote"}

// Decorators lists the folders that hold no place of their own.
var Decorators = []string{"record", "replay"}

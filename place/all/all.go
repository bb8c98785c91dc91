package all

import (
	"assay"
	"assay/place/guest"
	placekube "assay/place/kube"
	"assay/place/local"
	"assay/place/ssh"
	"assay/stacks/kube"
)

// Local is this machine. Its commands carry mark in their environment.
func Local(host, mark string) assay.Place { return local.New(host, mark) }

// Remote is a host that is reached over SSH.
func Remote(host assay.Host, o ssh.Options) assay.Place { return ssh.New(host, o) }

// Guest is a virtual machine that is reached through its hypervisor.
func Guest(host assay.Host, o guest.Options) assay.Place { return guest.New(host, o) }

// Windows is a virtual machine of Windows that is reached through its hypervisor.
func Windows(host assay.Host, o guest.Options) assay.Place { return guest.NewWindows(host, o) }

// Pod is a pod that runs on a node of a Kubernetes.
func Pod(c *kube.Cluster, o placekube.Options) *placekube.Place { return placekube.New(c, o) }

// Kinds are the folders that hold a place.
var Kinds = []string{"guest", "kube", "local", "ssh"}

// Shared are the folders that several places are made of.
var Shared = []string{"remote"}

// Decorators are the folders that hold no place of their own.
var Decorators = []string{"record", "replay"}

package ceph

import (
	"assay"
	"assay/lab/hosts"
	"assay/lab/internal/command"
)

// needed are the programs that a lab consists of.
var needed = []command.Needed{
	{Program: "ceph-mon", Package: "ceph-mon"}, {Program: "ceph-mgr", Package: "ceph-mgr"}, {Program: "ceph-osd", Package: "ceph-osd"},
	{Program: "ceph", Package: "ceph-common"}, {Program: "rados", Package: "ceph-common"},
}

// Missing returns why this machine cannot run Ceph, or nil if it can.
func Missing() error {
	if err := hosts.Missing(); err != nil {
		return err
	}
	if err := command.Missing("a Ceph", needed); err != nil {
		return assay.WithHint("install it with: make lab-ceph (about a minute)", "%w", err)
	}
	return nil
}

package radosspace

import (
	"context"
	"errors"
	"strings"
	"testing"

	"assay"
	"assay/stacks/ceph"
)

const id = "0123456789abcdef"

func subject(user string) assay.Subject {
	return assay.Subject{ID: "host1/pool/vms", Kind: assay.KindPool, Host: "host1", Name: "vms", Tier: "vms", Volume: Kind,
		Params: map[string]string{"pool": "vms", "user": user}}
}

// Release removes what a receipt names, and a receipt comes from a file.
func TestForgedReceiptsAreRefused(t *testing.T) {
	for _, bad := range []string{"", "../x", "a", strings.Repeat("a", 60), "a;reboot"} {
		if _, err := New().Reserve(t.Context(), nil, subject(""), assay.Request{ID: bad, Bytes: 1}); err == nil {
			t.Errorf("id %q was reserved", bad)
		}
	}
	good, err := New().Reserve(t.Context(), nil, subject(""), assay.Request{ID: id, Bytes: 1 << 20, Sharers: 3})
	if err != nil || good.Sharers != 3 || good.Names[roleSpace] != "assay-"+id {
		t.Fatal(good, err)
	}
	for name, forge := range map[string]func(*assay.Receipt){
		"another kind":  func(r *assay.Receipt) { r.Volume = "cephpool" },
		"another space": func(r *assay.Receipt) { r.Names[roleSpace] = "others" },
		"no space":      func(r *assay.Receipt) { r.Names[roleSpace] = "" },
		"an option":     func(r *assay.Receipt) { r.Names["how"] = `{"model":"--all"}` },
	} {
		forged, err := New().Reserve(t.Context(), nil, subject(""), assay.Request{ID: id, Bytes: 1 << 20})
		if err != nil {
			t.Fatal(err)
		}
		forge(&forged)
		if err := New().Release(t.Context(), nil, forged); err == nil {
			t.Errorf("%s: was released", name)
		}
	}
	if _, err := New().Reserve(t.Context(), nil, subject(""), assay.Request{ID: id, Way: assay.Way{"sync": "1"}}); assay.Hint(err) == "" {
		t.Errorf("a way: %v", err)
	}
}

// answers is a host whose rados and ceph end with 1 and say this, or whose ceph lists
// these pools.
type answers struct {
	assay.Place
	rados, ceph, pools string
}

func (answers) Host() assay.Host { return assay.Host{Name: "host1"} }

func (a answers) Run(_ context.Context, c assay.Cmd) (assay.Output, error) {
	switch {
	case c.Argv[0] == "rados":
		return assay.Output{Exit: 1, Stderr: []byte(a.rados)}, nil
	case a.ceph != "":
		return assay.Output{Exit: 1, Stderr: []byte(a.ceph)}, nil
	}
	return assay.Output{Stdout: []byte(a.pools)}, nil
}

// A namespace is gone with its pool only where the cluster lists its pools, and not that
// one: a client that cannot find its keyring says "No such file or directory" too.
func TestOnlyADeletedPoolIsGone(t *testing.T) {
	const (
		noPool    = "error opening pool vms: (2) No such file or directory\n"
		noKeyring = "2026-11-27T20:00:00.000+0000 7f0c1a7fc700 -1 auth: unable to find a keyring on /etc/ceph/ceph.client.assay.keyring: (2) No such file or directory\n" +
			"couldn't connect to cluster: (2) No such file or directory\n"
		noConf = "unable to get monitor info from DNS SRV with service name: ceph-mon\ncouldn't connect to cluster: (2) No such file or directory\n"
		noRead = "Error initializing cluster client: ObjectNotFound('RADOS object not found (error calling conf_read_file)')\n"
		vms    = `[{"pool_name":"vms","type":1,"size":3,"min_size":2,"pg_num":32,"crush_rule":0}]`
		other  = `[{"pool_name":"other","type":1,"size":3,"min_size":2,"pg_num":32,"crush_rule":0}]`
	)
	r, err := New().Reserve(t.Context(), nil, subject("assay"), assay.Request{ID: id, Bytes: 1 << 20})
	if err != nil {
		t.Fatal(err)
	}
	if err := New().Release(t.Context(), answers{rados: noPool, pools: other}, r); err != nil {
		t.Errorf("a deleted pool: %v", err)
	}
	for name, at := range map[string]answers{
		"no keyring":                     {rados: noKeyring, ceph: noKeyring},
		"no keyring for rados":           {rados: noKeyring, pools: other},
		"no ceph.conf":                   {rados: noConf, ceph: noRead},
		"a pool that is there":           {rados: noPool, pools: vms},
		"a cluster that does not answer": {rados: noPool, ceph: "timed out\n"},
		"a list that cannot be read":     {rados: noPool, pools: "[{"},
		"an empty list":                  {rados: noPool},
	} {
		if err := New().Release(t.Context(), at, r); err == nil {
			t.Errorf("%s: was released", name)
		}
	}
	if err := New().Release(t.Context(), answers{rados: noKeyring, pools: vms}, r); !errors.Is(err, ceph.ErrDenied) || assay.Hint(err) == "" {
		t.Errorf("no keyring: %v (%s)", err, assay.Hint(err))
	}
}

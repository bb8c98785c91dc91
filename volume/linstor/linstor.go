package linstor

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"assay"
	"assay/internal/lazyregexp"
	"assay/internal/prose"
	"assay/internal/sleep"
)

// Kind is the volume's name in receipts and suites.
const Kind = "linstor"

// prefix begins the names of assay's resources.
const prefix = "assay-"

// Volume lends resources.
type Volume struct {
	sync time.Duration // how long the replicas may take to be in sync
}

// New returns the volume.
func New() Volume { return Volume{sync: 10 * time.Minute} }

// Kind is the volume's name in receipts and suites.
func (Volume) Kind() string { return Kind }

// The roles of names in a receipt.
const (
	roleResource = "resource"
	roleHow      = "how" // how as JSON
)

// how says where the resource is placed and measured.
type how struct {
	Node        string `json:"node"` // as LINSTOR calls the one that measures
	Group       string `json:"resource_group,omitempty"`
	Pool        string `json:"storage_pool,omitempty"`
	Replicas    int    `json:"replicas,omitempty"` // in the pool
	Diskless    bool   `json:"diskless,omitempty"`
	Controllers string `json:"controllers,omitempty"`
}

// Reserve looks up the host's node and names the resource.
func (v Volume) Reserve(ctx context.Context, at assay.Place, s assay.Subject, want assay.Request) (assay.Receipt, error) {
	if err := assay.CheckID(want.ID); err != nil {
		return assay.Receipt{}, err
	}
	if err := want.Way.Check(Kind); err != nil {
		return assay.Receipt{}, err
	}
	h := how{Group: s.Params[paramGroup], Pool: s.Params[paramPool], Diskless: s.Params[paramDiskless] == "true", Controllers: s.Params[paramControllers]}
	h.Replicas, _ = strconv.Atoi(s.Params[paramReplicas])
	var err error
	if h.Node, _, err = nodeOf(ctx, at, h); err != nil {
		return assay.Receipt{}, err
	}
	text, err := json.Marshal(h)
	if err != nil {
		return assay.Receipt{}, err
	}
	r := assay.Receipt{ID: want.ID, Volume: Kind, Host: s.Host, Subject: s.ID, Bytes: want.Bytes, Sharers: want.Sharers,
		Names: map[string]string{roleResource: prefix + want.ID, roleHow: string(text)}}
	_, _, err = read(r)
	return r, err
}

// Shares names the cluster: all its resources may lie in the same pools, whichever host they are
// made for.
func (Volume) Shares(s assay.Subject) string { return Kind + " " + s.Params[paramControllers] }

// nodeOf returns LINSTOR's name for a host's node, which it finds by host name, and all nodes.
func nodeOf(ctx context.Context, at assay.Place, h how) (string, []node, error) {
	out, err := at.Run(ctx, assay.Cmd{Argv: []string{"uname", "-n"}, Timeout: time.Minute})
	if err != nil {
		return "", nil, fmt.Errorf("%s: uname -n: %w", at.Host().Name, err)
	}
	uname := strings.TrimSpace(string(out.Stdout))
	text, err := h.ask(ctx, at, "node", "list")
	if err != nil {
		return "", nil, err
	}
	nodes, err := readNodes(text)
	if err != nil {
		return "", nil, fmt.Errorf("%s: linstor node list: %w", at.Host().Name, err)
	}
	i := slices.IndexFunc(nodes, func(n node) bool { return n.uname == uname || n.name == uname })
	switch {
	case i < 0:
		return "", nil, assay.WithHint("measure on one of its nodes: linstor node list", "%s (uname -n: %s) is not a node of the LINSTOR cluster: %w", at.Host().Name, uname, assay.ErrNotFound)
	case nodes[i].status != "ONLINE":
		return "", nil, assay.WithHint("see linstor node list, and the satellite there", "node %s of the LINSTOR cluster is %s", nodes[i].name, nodes[i].status)
	}
	return nodes[i].name, nodes, nil
}

// read parses a receipt, and rejects one that Reserve would not have made: it comes
// from a file, and Release deletes the resource that it names.
func read(r assay.Receipt) (name string, h how, err error) {
	name = r.Names[roleResource]
	err = json.Unmarshal([]byte(r.Names[roleHow]), &h)
	placed := h.Group != "" && objectName.MatchString(h.Group) && h.Pool == "" && h.Replicas == 0 ||
		h.Pool != "" && objectName.MatchString(h.Pool) && h.Group == "" && h.Replicas >= 1 && h.Replicas <= mostReplicas
	if err != nil || r.Volume != Kind || !assay.SafeID(r.ID) || name != prefix+r.ID || !placed ||
		!nodeName.MatchString(h.Node) || h.Controllers != "" && !controllers.MatchString(h.Controllers) {
		return "", how{}, fmt.Errorf("receipt %q is not for a resource of LINSTOR that assay lends", r.ID)
	}
	return name, h, nil
}

var nodeName = lazyregexp.New(`^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$`)

// Lend creates the resource after checking the pools' room, makes it available on the node,
// and waits until all replicas are in sync.
func (v Volume) Lend(ctx context.Context, at assay.Place, r assay.Receipt) (assay.Scratch, error) {
	name, h, err := read(r)
	if err != nil {
		return assay.Scratch{}, err
	}
	if there, err := h.has(ctx, at, name); err != nil || there {
		if err == nil {
			err = fmt.Errorf("resource %s is there already: %w", name, assay.ErrBusy)
		}
		return assay.Scratch{}, err
	}
	p, err := h.placing(ctx, at)
	if err != nil {
		return assay.Scratch{}, err
	}
	bytes, err := p.lendable(r.Bytes, r.Sharers)
	if err != nil {
		return assay.Scratch{}, err
	}
	for _, words := range p.commands(h, name, bytes) {
		if err := h.tell(ctx, at, words...); err != nil {
			return assay.Scratch{}, err
		}
	}
	for begun := time.Now(); ; {
		device, why, err := h.state(ctx, at, name, p.replicas)
		switch {
		case err != nil:
			return assay.Scratch{}, err
		case why == "":
			return assay.Scratch{File: device, Bytes: bytes, Devices: []string{strings.TrimPrefix(device, "/dev/")}}, nil
		case time.Since(begun) > v.sync:
			return assay.Scratch{}, assay.WithHint("see linstor resource list -r "+name, "resource %s of LINSTOR is not in sync after %s: %s: %w", name, v.sync, why, assay.ErrTimeout)
		}
		if err := sleep.For(ctx, pause); err != nil {
			return assay.Scratch{}, err
		}
	}
}

// state returns the resource's device on the measuring node, and why it is not ready; "" once
// it is.
func (h how) state(ctx context.Context, at assay.Place, name string, replicas int) (device, why string, err error) {
	all, err := h.resources(ctx, at, name)
	if err != nil {
		return "", "", err
	}
	here, diskful := slices.IndexFunc(all, func(r replica) bool { return r.node == h.Node }), 0
	for _, r := range all {
		if !r.diskless {
			diskful++
		}
	}
	switch {
	case here < 0 || all[here].device == "":
		return "", "node " + h.Node + " does not have it yet", nil
	case all[here].diskless != h.Diskless:
		return "", "", assay.WithHint("name a node with a replica, or set diskless", "node %s has resource %s %s", h.Node, name, map[bool]string{true: "without a replica", false: "with a replica"}[all[here].diskless])
	case diskful < replicas:
		return "", fmt.Sprintf("%d of %d replicas are made", diskful, replicas), nil
	case diskful > replicas:
		return "", "", assay.WithHint("see linstor resource list -r "+name, "resource %s of LINSTOR has %s instead of %d", name, prose.Plural(diskful, "replica"), replicas)
	}
	for _, r := range all {
		if !r.ready() {
			return "", fmt.Sprintf("on %s it is %s", r.node, r.state), nil
		}
	}
	return all[here].device, "", nil
}

// resources returns a resource's replicas on its nodes.
func (h how) resources(ctx context.Context, at assay.Place, name string) ([]replica, error) {
	text, err := h.ask(ctx, at, "resource", "list", "--resources", name)
	if err != nil {
		return nil, err
	}
	all, err := readResources(text, name)
	if err != nil {
		return nil, fmt.Errorf("%s: linstor resource list: %w", at.Host().Name, err)
	}
	return all, nil
}

// has reports whether a definition of that name exists.
func (h how) has(ctx context.Context, at assay.Place, name string) (bool, error) {
	text, err := h.ask(ctx, at, "resource-definition", "list")
	if err != nil {
		return false, err
	}
	names, err := readDefinitions(text)
	if err != nil {
		return false, fmt.Errorf("%s: linstor resource-definition list: %w", at.Host().Name, err)
	}
	return slices.ContainsFunc(names, func(n string) bool { return strings.EqualFold(n, name) }), nil
}

// tries is how often a deletion is retried while a node is too busy.
const tries = 20

// Release deletes the resource with all its replicas, and verifies that it is gone. It
// deletes only what is still listed: LINSTOR goes on deleting after it has answered.
func (Volume) Release(ctx context.Context, at assay.Place, r assay.Receipt) error {
	name, h, err := read(r)
	if err != nil {
		return err
	}
	var said error
	for range tries {
		there, err := h.has(ctx, at, name)
		if err != nil || !there {
			return err
		}
		if said != nil {
			if err := sleep.For(ctx, pause); err != nil {
				return err
			}
		}
		if said = h.tell(ctx, at, "resource-definition", "delete", name); said == nil {
			said = errors.New("it is still listed")
		}
	}
	return assay.WithHint("linstor resource-definition delete "+name+", then run: assay cleanup", "resource %s of LINSTOR is left: %w", name, said)
}

// pause is the interval between polls of something slow.
const pause = 500 * time.Millisecond

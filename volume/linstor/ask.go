package linstor

import (
	"context"
	"errors"
	"fmt"
	"net/netip"
	"strings"
	"time"

	"assay"
	"assay/internal/jsondoc"
	"assay/internal/oneline"
)

// patience limits one command: the controller answers only after all satellites
// have.
const patience = 5 * time.Minute

// ask runs the client on a host and returns its output.
func (h how) ask(ctx context.Context, at assay.Place, words ...string) ([]byte, error) {
	argv := []string{"linstor", "-m", "--output-version", "v1"}
	if h.Controllers != "" {
		argv = append(argv, "--controllers", h.Controllers)
	}
	what := "linstor " + strings.Join(words[:min(2, len(words))], " ")
	out, err := at.Run(ctx, assay.Cmd{Argv: append(argv, words...), Env: []string{"LC_ALL=C"}, Timeout: patience})
	switch {
	case errors.Is(err, assay.ErrNoCommand), err == nil && out.Exit == 127:
		return nil, assay.WithHint("install linstor-client there", "%s: %s: %w", at.Host().Name, what, assay.ErrNoCommand)
	case err != nil:
		return nil, fmt.Errorf("%s: %s: %w", at.Host().Name, what, err)
	case out.Exit == 0:
		return out.Stdout, nil
	}
	if refused := readAnswer(out.Stdout); refused != nil {
		return nil, fmt.Errorf("%s: %s: %w", at.Host().Name, what, refused)
	}
	said := oneline.Brief(append(out.Stdout, out.Stderr...))
	if strings.Contains(said, "Unable to connect") || strings.Contains(said, "onnection refused") {
		return nil, assay.WithHint("start linstor-controller, or name it with controllers:", "%s: %s: %s", at.Host().Name, what, said)
	}
	return nil, fmt.Errorf("%s: %s: exit %d: %s", at.Host().Name, what, out.Exit, said)
}

// tell is ask for commands that change something: an answer that reports failure
// is an error.
func (h how) tell(ctx context.Context, at assay.Place, words ...string) error {
	text, err := h.ask(ctx, at, words...)
	if err == nil {
		if refused := readAnswer(text); refused != nil {
			err = fmt.Errorf("%s: linstor %s: %w", at.Host().Name, strings.Join(words[:2], " "), refused)
		}
	}
	if err != nil && (strings.Contains(err.Error(), "Not enough") || strings.Contains(err.Error(), "not enough")) {
		return assay.WithHint("linstor storage-pool list shows what is free", "%w", err)
	}
	return err
}

// firstError is the lowest return code of an error: its two highest bits are set
// (MASK_ERROR of LINSTOR's API). A warning has only the highest bit set, and is lower.
const firstError = -(1 << 62)

// readAnswer returns the first error in an answer, or nil.
func readAnswer(text []byte) error {
	doc, err := jsondoc.Parse(text, 1)
	if err != nil {
		return nil
	}
	for _, n := range doc.Objects() {
		code, told := n.At("ret_code").Number()
		if !told || code < firstError || code >= 0 {
			continue
		}
		words := n.At("message").Text()
		if cause := n.At("cause").Text(); cause != "" {
			words += ": " + cause
		}
		return errors.New(oneline.Brief([]byte(words)))
	}
	return nil
}

// node is a machine of the cluster.
type node struct {
	name, uname, status string
	address             string // of the interface that DRBD uses; "" unknown
	shunned             bool   // LINSTOR is told to place nothing there
}

// readNodes parses the output of linstor -m node list.
func readNodes(text []byte) ([]node, error) {
	doc, err := jsondoc.Parse(text, 1)
	if err != nil {
		return nil, err
	}
	var all []node
	for _, n := range doc.Objects() {
		one := node{name: n.At("name").Text(), uname: n.At("props", "NodeUname").Text(), status: n.At("connection_status").Text()}
		if one.name != "" && n.At("type").Text() != "CONTROLLER" {
			one.address = addressOf(n)
			one.shunned = strings.EqualFold(n.At("props", "AutoplaceTarget").Text(), "false")
			all = append(all, one)
		}
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("%w: no node", assay.ErrNoOutput)
	}
	return all, nil
}

// addressOf returns the address of a node's preferred interface (its property PrefNic), else
// of the one called default (LINSTOR user's guide, managing network interface cards).
func addressOf(n jsondoc.Node) (address string) {
	preferred := n.At("props", "PrefNic").Text()
	for _, i := range n.At("net_interfaces").List() {
		ip, err := netip.ParseAddr(i.At("address").Text())
		if err != nil || ip.Zone() != "" {
			continue
		}
		switch name := i.At("name").Text(); {
		case name == preferred && name != "":
			return ip.String()
		case name == "default" || address == "":
			address = ip.String()
		}
	}
	return address
}

// replica is a resource on one node.
type replica struct {
	node, device, state string
	bytes               int64 // that it can store; 0 unknown
	diskless            bool
}

// ready reports whether the replica is in sync, or need not be.
func (r replica) ready() bool {
	return r.state == "UpToDate" || r.diskless && (r.state == "Diskless" || r.state == "TieBreaker")
}

// readResources parses the output of linstor -m resource list for one resource.
func readResources(text []byte, name string) ([]replica, error) {
	doc, err := jsondoc.Parse(text, 1)
	if err != nil {
		return nil, err
	}
	var all []replica
	for _, n := range doc.Objects() {
		if !strings.EqualFold(n.At("name").Text(), name) || n.At("node_name").Text() == "" {
			continue
		}
		r := replica{node: n.At("node_name").Text()}
		for _, flag := range n.At("flags").List() {
			switch flag.Text() {
			case "DISKLESS", "DRBD_DISKLESS", "TIE_BREAKER":
				r.diskless = true
			}
		}
		for _, v := range n.At("layer_object", "drbd", "drbd_volumes").List() {
			if kib, told := v.At("usable_size_kib").Number(); told && kib > 0 && kib <= 1<<50 {
				r.bytes = int64(kib) << 10
			}
			break // it has one
		}
		for _, v := range n.At("volumes").List() {
			r.device, r.state = v.At("device_path").Text(), v.At("state", "disk_state").Text()
			break // it has one
		}
		if !strings.HasPrefix(r.device, "/dev/drbd") {
			r.device = ""
		}
		all = append(all, r)
	}
	return all, nil
}

// readDefinitions parses the names from linstor -m resource-definition list.
func readDefinitions(text []byte) ([]string, error) {
	doc, err := jsondoc.Parse(text, 1)
	if err != nil {
		return nil, err
	}
	if !doc.IsList() {
		return nil, fmt.Errorf("%w: no list", assay.ErrNoOutput)
	}
	var all []string
	for _, n := range doc.Objects() {
		if name := n.At("name").Text(); name != "" {
			all = append(all, name)
		}
	}
	return all, nil
}

// pool is a storage pool on one node.
type pool struct {
	name, node string
	kind       string // of space, as volume/drbd calls it: volume_group, dataset, directory; "" for another
	of         string // its name
	free       int64  // B
	total      int64  // B; 0 unknown
}

// room returns how much may be written in the pool, in bytes: LINSTOR itself lends more than
// there is of a thin pool, and a full one takes no more writes from anybody.
func (p pool) room() int64 { return max(p.free-assay.KeepFree(max(p.total, p.free)), 0) }

// kinds maps LINSTOR's provider kinds to the kinds of space under pools.
var kinds = map[string]string{
	"LVM": "volume_group", "LVM_THIN": "volume_group", "ZFS": "dataset", "ZFS_THIN": "dataset", "FILE": "directory", "FILE_THIN": "directory",
}

// readPools parses the output of linstor -m storage-pool list, without the pools of diskless
// nodes. Until 1.2 each kind of space had its own property.
func readPools(text []byte) ([]pool, error) {
	doc, err := jsondoc.Parse(text, 1)
	if err != nil {
		return nil, err
	}
	var all []pool
	for _, n := range doc.Objects() {
		kib, told := n.At("free_capacity").Number()
		provider := n.At("provider_kind").Text()
		if !told || kib < 0 || kib > 1<<50 || provider == "DISKLESS" {
			continue
		}
		p := pool{name: n.At("storage_pool_name").Text(), node: n.At("node_name").Text(), kind: kinds[provider], free: int64(kib) << 10}
		if total, told := n.At("total_capacity").Number(); told && total >= kib && total <= 1<<50 {
			p.total = int64(total) << 10
		}
		if !objectName.MatchString(p.name) || !nodeName.MatchString(p.node) {
			continue // none of LINSTOR's, and it would be an argument
		}
		for _, key := range []string{"StorPoolName", "LvmVg", "ZPool", "ZPoolThin", "FileDir"} {
			if p.of == "" {
				p.of = n.At("props", "StorDriver/"+key).Text()
			}
		}
		if p.kind == "volume_group" { // a thin pool's name follows its group's
			p.of, _, _ = strings.Cut(p.of, "/")
		}
		all = append(all, p)
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("%w: no storage pool", assay.ErrNoOutput)
	}
	return all, nil
}

// group is how LINSTOR places and sets up resources of a resource group.
type group struct {
	replicas int      // 0 unknown
	pools    []string // allowed for placement; none means all
	protocol string   // of DRBD; "" where the group says nothing
	rules    bool     // there are some for which nodes get replicas, besides their pools
}

// readGroup parses one group from linstor -m resource-group list.
func readGroup(text []byte, name string) (group, error) {
	doc, err := jsondoc.Parse(text, 1)
	if err != nil {
		return group{}, err
	}
	var g group
	found := false
	for _, n := range doc.Objects() {
		if found || !strings.EqualFold(n.At("name").Text(), name) {
			continue
		}
		found = true
		if count, told := n.At("select_filter", "place_count").Number(); told && count >= 1 && count <= mostReplicas {
			g.replicas = int(count)
		}
		for _, p := range n.At("select_filter", "storage_pool_list").List() {
			g.pools = append(g.pools, p.Text())
		}
		if one := n.At("select_filter", "storage_pool").Text(); one != "" && len(g.pools) == 0 {
			g.pools = []string{one}
		}
		for _, key := range []string{"replicas_on_same", "replicas_on_different", "not_place_with_rsc", "node_name_list", "provider_list"} {
			g.rules = g.rules || len(n.At("select_filter", key).List()) > 0
		}
		n.At("select_filter", "x_replicas_on_different_map").Fields(func(string, jsondoc.Node) { g.rules = true })
		g.rules = g.rules || n.At("select_filter", "not_place_with_rsc_regex").Text() != ""
		if p := n.At("props", "DrbdOptions/Net/protocol").Text(); p == "A" || p == "B" || p == "C" {
			g.protocol = p
		}
	}
	if !found {
		return group{}, fmt.Errorf("%w: no resource group %s", assay.ErrNoOutput, name)
	}
	return g, nil
}

package linstor

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"assay"
)

// standIn answers linstor -m like a client on node pve1 of three, with requests applied to a
// table. Answers are worded after LINSTOR's REST API, and replicas are placed as in linstor-server's
// source (Autoplacer, CtrlRscAutoPlaceApiCallHandler); list output is also in testdata.
type standIn struct {
	resources map[string]map[string]bool // nodes, and whether diskless
	asked     []string
	slow      int      // how often a resource stays inconsistent
	busy      int      // how often a deletion is refused
	full      bool     // no pool has room
	pools     string   // what storage-pool list prints
	size      string   // of the newest resource, with its unit
	prefers   []string // the nodes, in the order in which they are placed on
	shunned   string   // the node on which nothing is placed, besides "retired"
	more      int      // how many replicas are made beyond what is asked for
	show      string   // what drbdsetup show prints
	after     func()   // called after each command
}

var nodes = []string{"pve1", "pve2", "pve3"}

func (s *standIn) Host() assay.Host { return assay.Host{Name: "one"} }
func (s *standIn) Close() error     { return nil }

func (s *standIn) Run(ctx context.Context, c assay.Cmd) (assay.Output, error) {
	if err := ctx.Err(); err != nil {
		return assay.Output{}, err
	}
	if s.after != nil {
		defer s.after()
	}
	switch c.Argv[0] {
	case "sh":
		return s.tools(c)
	case "uname":
		return assay.Output{Stdout: []byte("pve1\n")}, nil
	case "dd", "cat":
		return assay.Output{}, nil
	}
	words := c.Argv[4:]
	s.asked = append(s.asked, strings.Join(words, " "))
	text, refused := s.answer(words)
	if refused != "" {
		return assay.Output{Exit: 10, Stdout: fmt.Appendf(nil, `[{"ret_code":-4611686018392783898,"message":%q}]`, refused)}, nil
	}
	if text == "" {
		text = `[{"ret_code":4611686018461990912,"message":"done"}]`
	}
	return assay.Output{Stdout: []byte(text)}, nil
}

// tools stands in for the node's DRBD and LVM tools.
func (s *standIn) tools(c assay.Cmd) (assay.Output, error) {
	said := strings.Join(c.Argv, " ")
	for words, text := range map[string]string{
		"cat /proc/drbd": "version: 9.2.4 (api:2/proto:86-122)\n", "ip -o route": "10.99.0.2 dev eno2 src 10.99.0.1\n",
		"drbdsetup show": s.show, "vgs --noheadings --options pv_name": "  /dev/sda3\n", "vgs": "  4294967296 8589934592\n",
	} {
		if strings.Contains(said, words) && text != "" && (words != "vgs" || !strings.Contains(said, "pv_name")) {
			return assay.Output{Stdout: []byte(text)}, nil
		}
	}
	return assay.Output{Exit: 127, Stderr: []byte(said + ": not found")}, nil
}

func (s *standIn) answer(words []string) (text, refused string) {
	last := words[len(words)-1]
	flag := func(name string) string {
		if i := slices.Index(words, name); i >= 0 {
			return words[i+1]
		}
		return ""
	}
	switch words[0] + " " + words[1] {
	case "node list":
		for _, n := range nodes {
			text += fmt.Sprintf(`,{"name":%q,"type":"SATELLITE","props":{"NodeUname":%q,"PrefNic":"storage","AutoplaceTarget":"%t"},"net_interfaces":[{"name":"default","address":"192.168.7.%s"},{"name":"storage","address":"10.99.0.%[4]s"}],"connection_status":"ONLINE"}`,
				n, n, n != s.shunned, n[3:])
		}
		text += `,{"name":"gone","type":"SATELLITE","connection_status":"OFFLINE"},{"name":"retired","type":"SATELLITE","props":{"AutoplaceTarget":"False"},"connection_status":"ONLINE"}`
		return "[[" + text[1:] + "]]", ""
	case "resource-definition list":
		for _, name := range slices.Sorted(maps.Keys(s.resources)) {
			text += fmt.Sprintf(`,{"name":%q}`, name)
		}
		return "[[" + strings.TrimPrefix(text, ",") + "]]", ""
	case "resource-definition create":
		s.resources[last] = map[string]bool{}
	case "resource-group spawn-resources":
		name := words[len(words)-2]
		s.resources[name] = map[string]bool{}
		s.size = last
		if !slices.Contains(words, "--definition-only") {
			return "", s.autoPlace(name, 2)
		}
	case "volume-definition create":
		s.size = last
	case "resource make-available":
		s.resources[words[3]][words[2]] = false
	case "resource create":
		if s.full {
			return "", "Not enough available nodes"
		}
		switch n := flag("--auto-place"); {
		case slices.Contains(words, "--drbd-diskless"):
			if disk, has := s.resources[words[3]][words[2]]; has && !disk {
				return "", "A resource on node " + words[2] + " already exists."
			}
			s.resources[words[3]][words[2]] = true
		case n == "": // on all nodes that are named
			name := slices.Index(words, "--storage-pool") - 1
			for _, node := range words[2:name] {
				s.resources[words[name]][node] = false
			}
		default:
			want, err := strconv.Atoi(n)
			if err != nil {
				return "", err.Error()
			}
			return "", s.autoPlace(words[2], want)
		}
	case "resource list":
		state := "UpToDate"
		if s.slow > 0 {
			s.slow--
			state = "Inconsistent"
		}
		for node, diskless := range s.resources[last] {
			flags, disk := "", state
			if diskless {
				flags, disk = `"DISKLESS","DRBD_DISKLESS"`, "Diskless"
			}
			text += fmt.Sprintf(`,{"name":%q,"node_name":%q,"flags":[%s],"layer_object":{"drbd":{"drbd_volumes":[{"usable_size_kib":%s}]}},"volumes":[{"device_path":"/dev/drbd1000","state":{"disk_state":%q}}]}`,
				last, node, flags, strings.TrimSuffix(s.size, "KiB"), disk)
		}
		return "[[" + strings.TrimPrefix(text, ",") + "]]", ""
	case "resource-group list":
		return `[[{"name":"DfltRscGrp","select_filter":{"place_count":2,"replicas_on_different":["Aux/rack"]}},
{"name":"vms","select_filter":{"place_count":2,"storage_pool_list":["data"],"replicas_on_same":[]},"props":{"DrbdOptions/Net/protocol":"A"}},
{"name":"plain","select_filter":{"place_count":2}},
{"name":"single","select_filter":{"place_count":1}},
{"name":"racks","select_filter":{"place_count":2,"replicas_on_different":["Aux/rack"]}}]]`, ""
	case "resource-definition delete":
		if s.busy > 0 {
			s.busy--
			return "", "Resource is still in use"
		}
		delete(s.resources, last)
	case "storage-pool list":
		return s.pools, ""
	default:
		return "", "not known to the stand-in"
	}
	return "", ""
}

// autoPlace adds replicas until there are as many as wanted, as LINSTOR's auto-placer does: a
// node that has the resource without a disk is a candidate, and gets one.
func (s *standIn) autoPlace(name string, want int) (refused string) {
	pools, _ := readPools([]byte(s.pools))
	for _, node := range s.prefers {
		diskless, has := s.resources[name][node]
		if node != s.shunned && s.diskful(name) < want+s.more && (!has || diskless) && slices.ContainsFunc(pools, func(p pool) bool { return p.node == node }) {
			s.resources[name][node] = false
		}
	}
	if s.diskful(name) < want {
		return "Not enough available nodes"
	}
	return ""
}

func (s *standIn) diskful(name string) (n int) {
	for _, diskless := range s.resources[name] {
		if !diskless {
			n++
		}
	}
	return n
}

// threePools has a third pool, on pve3.
var threePools = strings.Replace(fewPools, "[[", `[[{"storage_pool_name":"data","node_name":"pve3","provider_kind":"LVM","free_capacity":2097152,"total_capacity":5242880},`, 1)

// fewPools has 4 GiB free of 40 GiB on pve1, 1 GiB of 5 GiB on pve2, and no pool on pve3.
const fewPools = `[[{"storage_pool_name":"data","node_name":"pve1","provider_kind":"LVM_THIN","props":{"StorDriver/StorPoolName":"vg0/thin"},"free_capacity":4194304,"total_capacity":41943040},
{"storage_pool_name":"data","node_name":"pve2","provider_kind":"LVM","free_capacity":1048576,"total_capacity":5242880},
{"storage_pool_name":"DfltDisklessStorPool","node_name":"pve1","provider_kind":"DISKLESS","free_capacity":9223372036854775807,"total_capacity":9223372036854775807}]]`

func newStandIn() *standIn {
	return &standIn{resources: map[string]map[string]bool{"vm-100": {"pve1": false}}, pools: fewPools, prefers: []string{"pve2", "pve3", "pve1"}}
}

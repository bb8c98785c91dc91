package linstor

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"assay"
)

// standIn answers linstor -m like a client on node pve1 of three, with requests applied to a
// table. Answers are worded after LINSTOR's REST API; list output is also in testdata.
type standIn struct {
	resources map[string]map[string]bool // nodes, and whether diskless
	asked     []string
	slow      int    // how often a resource stays inconsistent
	busy      int    // how often a deletion is refused
	full      bool   // no pool has room
	pools     string // what storage-pool list prints
	size      string // of the newest resource, with its unit
	show      string // what drbdsetup show prints
	after     func() // called after each command
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
			text += fmt.Sprintf(`,{"name":%q,"type":"SATELLITE","props":{"NodeUname":%q,"PrefNic":"storage"},"net_interfaces":[{"name":"default","address":"192.168.7.%s"},{"name":"storage","address":"10.99.0.%[3]s"}],"connection_status":"ONLINE"}`, n, n, n[3:])
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
		s.resources[words[3]] = map[string]bool{"pve2": false, "pve3": false}
		s.size = last
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
			s.resources[words[3]][words[2]] = true
		case n == "":
			s.resources[words[3]][words[2]] = false
		default:
			var more int
			_, _ = fmt.Sscan(strings.TrimPrefix(n, "+"), &more)
			for _, node := range []string{"pve2", "pve3", "pve1"} {
				if _, has := s.resources[words[2]][node]; !has && more > 0 {
					s.resources[words[2]][node] = false
					more--
				}
			}
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
		return `[[{"name":"DfltRscGrp","select_filter":{"place_count":2}},{"name":"vms","select_filter":{"place_count":2,"storage_pool_list":["data"]},"props":{"DrbdOptions/Net/protocol":"A"}}]]`, ""
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

// fewPools has 4 GiB free of 40 GiB on pve1, 1 GiB of 5 GiB on pve2, and no pool on pve3.
const fewPools = `[[{"storage_pool_name":"data","node_name":"pve1","provider_kind":"LVM_THIN","props":{"StorDriver/StorPoolName":"vg0/thin"},"free_capacity":4194304,"total_capacity":41943040},
{"storage_pool_name":"data","node_name":"pve2","provider_kind":"LVM","free_capacity":1048576,"total_capacity":5242880},
{"storage_pool_name":"DfltDisklessStorPool","node_name":"pve1","provider_kind":"DISKLESS","free_capacity":9223372036854775807,"total_capacity":9223372036854775807}]]`

func newStandIn() *standIn {
	return &standIn{resources: map[string]map[string]bool{"vm-100": {"pve1": false}}, pools: fewPools}
}

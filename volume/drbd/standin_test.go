package drbd

import (
	"context"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"assay"
)

// world is two hosts with DRBD, kept as tables that commands change. Nothing is run.
// lab/drbdfaults has the real ones, of 8.4.
type world struct {
	major int
	hosts map[string]*standIn
	// after is called after each command.
	after func(host, command string)
	cut   bool // their network
	held  int  // how often down fails as the device is in use
	port  int  // a TCP port in use on b
}

// standIn is one of these hosts.
type standIn struct {
	world   *world
	name    string
	files   map[string]string         // configurations, by path
	volumes map[string]string         // logical volumes and their tags
	up      map[string]*standResource // resources, by name
	state   string                    // of all disks; "" is UpToDate once they are connected
	asked   []string
	gone    bool // does not answer
}

type standResource struct {
	minor         int
	primary, cut  bool
	fresh, synced bool
}

func newWorld(major int) *world {
	w := &world{major: major, hosts: map[string]*standIn{}}
	for _, name := range []string{"a", "b"} {
		w.hosts[name] = &standIn{world: w, name: name, files: map[string]string{}, volumes: map[string]string{}, up: map[string]*standResource{}}
	}
	return w
}

func (w *world) volume() assay.Volume {
	places := map[string]assay.Place{}
	for name, h := range w.hosts {
		places[name] = h
	}
	return New().Among(places)
}

// things lists everything that exists.
func (w *world) things() string {
	var all []string
	for _, name := range slices.Sorted(maps.Keys(w.hosts)) {
		h := w.hosts[name]
		all = append(all, fmt.Sprint(name, h.volumes, slices.Sorted(maps.Keys(h.files)), slices.Sorted(maps.Keys(h.up))))
	}
	return strings.Join(all, "\n")
}

func (s *standIn) Host() assay.Host { return assay.Host{Name: s.name} }
func (s *standIn) Close() error     { return nil }

func (s *standIn) Run(ctx context.Context, c assay.Cmd) (assay.Output, error) {
	if err := ctx.Err(); err != nil {
		return assay.Output{}, err
	}
	if s.gone {
		return assay.Output{}, fmt.Errorf("host %s: %w", s.name, assay.ErrHostGone)
	}
	argv := c.Argv
	if len(argv) > 4 && argv[0] == "sh" && argv[3] == "sh" {
		argv = argv[4:]
	}
	if len(argv) > 3 && argv[0] == "sh" {
		argv = append([]string{argv[2]}, argv[4:]...) // a script and its arguments
	}
	command := strings.Join(argv, " ")
	s.asked = append(s.asked, command)
	text, complaint := s.answer(c, argv)
	if s.world.after != nil {
		s.world.after(s.name, command)
	}
	if complaint != "" {
		return assay.Output{Exit: 10, Stderr: []byte(complaint + "\nCommand 'x' terminated with exit code 10\n")}, nil
	}
	return assay.Output{Stdout: []byte(text)}, nil
}

var minorIn = regexp.MustCompile(`minor (\d+);`)

func (s *standIn) answer(c assay.Cmd, argv []string) (text, complaint string) {
	last := argv[len(argv)-1]
	switch {
	case argv[0] == lookScript:
		return s.look(), ""
	case argv[0] == showScript:
		for name, r := range s.up {
			text += fmt.Sprintf("resource %s {\n _this_host {\n volume 0 {\n device minor %d;\n }\n }\n}\n", name, r.minor)
		}
		return text, ""
	case argv[0] == writeScript:
		s.files[last] = string(c.Stdin)
	case argv[0] == downScript:
		delete(s.files, argv[1])
	case argv[0] == "vgs" && slices.Contains(argv, "vg_free,vg_size"):
		if last != "vms" {
			return "", `  Volume group "` + last + `" not found`
		}
		return "  1073741824 2147483648\n", ""
	case argv[0] == "lvcreate":
		name := argv[len(argv)-2]
		if _, is := s.volumes[name]; is {
			return "", `  Logical Volume "` + name + `" already exists in volume group "vms"`
		}
		s.volumes[name] = argv[slices.Index(argv, "--addtag")+1]
	case argv[0] == "lvs" || argv[0] == "lvremove":
		name := strings.TrimPrefix(last, "vms/")
		tag, is := s.volumes[name]
		if !is {
			return "", `  Failed to find logical volume "` + last + `"`
		}
		if argv[0] == "lvs" {
			return "  " + tag + "\n", ""
		}
		delete(s.volumes, name)
	case argv[0] == "drbdadm":
		return s.adm(argv)
	case argv[0] == "drbdsetup" || argv[0] == "cat" && last == "/proc/drbd":
		return s.setup(argv)
	case argv[0] == "blockdev":
		return "134217728\n", ""
	case argv[0] == "dd" || argv[0] == "cat" && strings.HasPrefix(last, "/sys/class/block/drbd"):
	default:
		return "", argv[0] + ": not known to the stand-in"
	}
	return "", ""
}

func (s *standIn) look() string {
	var b strings.Builder
	fmt.Fprintf(&b, "== node\n%s.lan\n== proc\nversion: %d.4.11 (api:1/proto:86-101)\n== devices\n0\n", s.name, s.world.major)
	fmt.Fprint(&b, "== show\nresource home {\n _this_host { volume 0 { device minor 0; } }\n}\n== dump\n# /etc/drbd.conf\ncommon { disk { c-max-rate 50M; } net { max-buffers 4000; } }\n")
	fmt.Fprint(&b, "resource home { on a { device /dev/drbd0 minor 0; address ipv4 10.0.0.1:7788; } }\n== ports\n  sl  local_address rem_address   st\n   0: 0100007F:0016 00000000:0000 0A\n")
	if s.name == "b" && s.world.port > 0 {
		fmt.Fprintf(&b, "   1: 00000000:%04X 00000000:0000 0A\n", s.world.port)
	}
	return b.String()
}

// adm is drbdadm --config-file FILE VERB … RESOURCE.
func (s *standIn) adm(argv []string) (text, complaint string) {
	file, verb, name := s.files[argv[2]], argv[3], argv[len(argv)-1]
	m := minorIn.FindStringSubmatch(file)
	if m == nil || !strings.Contains(file, "resource "+name+" {") {
		return "", "no resources defined!"
	}
	r := s.up[name]
	switch verb {
	case "create-md":
	case "up":
		if _, is := s.volumes[name]; !is || r != nil {
			return "", "cannot open its disk, or it is there"
		}
		r = &standResource{fresh: true}
		_, _ = fmt.Sscan(m[1], &r.minor)
		s.up[name] = r
	case "primary":
		if r == nil || !r.synced {
			return "", "State change failed: (-2) Need access to UpToDate data"
		}
		r.primary = true
	case "disconnect":
		for _, h := range s.world.hosts {
			h.up[name].cut = true
		}
	default:
		return "", verb + ": unknown"
	}
	return "", ""
}

func (s *standIn) connected(name string, r *standResource) bool {
	for _, h := range s.world.hosts {
		if h.up[name] == nil {
			return false
		}
	}
	return !r.cut && !s.world.cut
}

func (s *standIn) setup(argv []string) (text, complaint string) {
	verb := argv[min(1, len(argv)-1)]
	switch verb {
	case "down":
		if s.up[argv[2]] == nil {
			return "", "unknown resource"
		}
		if s.world.held > 0 {
			s.world.held--
			return "", argv[2] + ": State change failed: (-12) Device is held open by someone"
		}
		delete(s.up, argv[2])
	case "new-current-uuid":
		for _, h := range s.world.hosts {
			for _, r := range h.up {
				if fmt.Sprint(r.minor) == argv[3] {
					r.synced, r.fresh = true, false
				}
			}
		}
	case "status", "/proc/drbd":
		return s.status(), ""
	default:
		return "", verb + ": unknown"
	}
	return "", ""
}

func (s *standIn) status() string {
	proc, all := fmt.Sprintf("version: %d.4.11 (api:1/proto:86-101)\n", s.world.major), []string{}
	for name, r := range s.up {
		disk, peer, connection, role, replication := "Inconsistent", "Inconsistent", "Connected", "Secondary", "Established"
		if r.synced {
			disk, peer = "UpToDate", "UpToDate"
		}
		if s.state != "" {
			peer = s.state
		}
		if r.primary {
			role = "Primary"
		}
		if !s.connected(name, r) {
			connection, peer, replication = "Connecting", "DUnknown", "Off"
		}
		all = append(all, fmt.Sprintf(`{"name": %q, "role": %q, "devices": [{"volume": 0, "minor": %d, "disk-state": %q}], "connections": [{"name": "x", "connection-state": %q, "peer_devices": [{"volume": 0, "replication-state": %q, "peer-disk-state": %q}]}]}`,
			name, role, r.minor, disk, connection, replication, peer))
		proc += fmt.Sprintf(" %d: cs:%s ro:%s/Unknown ds:%s/%s C r-----\n    ns:0 nr:0\n", r.minor, strings.ReplaceAll(connection, "Connecting", "WFConnection"), role, disk, peer)
	}
	if s.world.major == 8 {
		return proc
	}
	return "[" + strings.Join(all, ",") + "]"
}

func subject(set map[string]string) assay.Subject {
	params := map[string]string{paramKind: backVolumeGroup, paramOf: "vms", addressPrefix + "a": "10.0.0.1", addressPrefix + "b": "10.0.0.2"}
	for name, value := range set {
		params[setPrefix+name] = value
	}
	return assay.Subject{ID: "a/block/drbd", Kind: assay.KindBlock, Host: "a", Name: "drbd", Tier: "vms", Volume: Kind, Params: params}
}

const id = "0123456789abcdef"

func (w *world) reserve(t *testing.T, set map[string]string, way assay.Way) assay.Receipt {
	t.Helper()
	r, err := w.volume().Reserve(t.Context(), w.hosts["a"], subject(set), assay.Request{ID: id, Bytes: 128 << 20, Way: way})
	if err != nil {
		t.Fatal(err, assay.Hint(err))
	}
	return r
}

func (w *world) release(t *testing.T, r assay.Receipt) {
	t.Helper()
	if err := w.volume().Release(t.Context(), w.hosts["a"], r); err != nil {
		t.Error(err, assay.Hint(err))
	}
}

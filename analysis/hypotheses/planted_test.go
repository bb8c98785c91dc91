package hypotheses

import (
	"maps"
	"slices"

	"assay"
	"assay/limits"
)

// The four hosts of the tests are alike: all facts known, all counters quiet.
var hostsOfTests = []string{"pve1", "pve2", "pve3", "pve4"}

func soundFacts(host string) assay.Facts {
	yes, no := true, false
	return assay.Facts{
		Host: host,
		OS: assay.OSFacts{Kernel: "6.8.12", BIOS: "1.22", Machine: "Dell R640", Sysctls: map[string]string{
			"net.ipv4.tcp_rmem": "4096 131072 33554432", "net.ipv4.tcp_wmem": "4096 16384 4194304",
		}},
		CPU: assay.CPUFacts{
			Model: "Xeon 6130", Sockets: 1, Cores: 16, Threads: 32, Usable: 32, Governor: "performance", Driver: "intel_pstate", Turbo: &yes,
			MaxHz: 3.7e9, Virtual: &no, Mitigations: map[string]string{"meltdown": "PTI"},
		},
		Memory: assay.MemoryFacts{Total: 64 << 30, Channels: 6, DIMMs: []assay.DIMM{{MTs: 2666, Bytes: 64 << 30}}},
		Block: []assay.BlockDevice{{
			Name: "nvme0n1", Kind: "disk", Bytes: 1e12, Model: "Alpha", Firmware: "1A", Link: limits.PCIe(8, 4),
			Rotational: &no, WriteCache: "write back", PLP: &yes,
		}},
		Dirs:   []assay.DirFacts{{Path: "/srv", Device: "nvme0n1", Drives: []string{"nvme0n1"}, Bytes: 1e12, Free: 6e11}},
		NICs:   []assay.NICFacts{{Name: "eth0", Speed: 10e9, Duplex: "full", MTU: 9000, Members: 2, State: "up", Link: limits.PCIe(8, 8)}},
		Limits: &assay.LimitFacts{}, Clock: &assay.ClockFacts{Within: .001},
		Stack: &assay.StackFacts{Kind: "ceph", Health: "HEALTH_OK"},
		Tools: []assay.ToolFacts{{Name: "fio", Path: "/usr/bin/fio", Version: "3.33"}, {Name: "iperf3", Path: "/usr/bin/iperf3", Version: "3.12"}, {Name: "sysbench", Path: "/usr/bin/sysbench", Version: "1.0.20"}},
	}
}

// sound returns a suspect with nothing unusual.
func sound(host, peer string) *Suspect {
	s := &Suspect{
		Host: host, Peer: peer, Networks: []string{"storage"}, Seen: map[Load]Sight{}, Facts: map[string]assay.Facts{}, Counted: map[string]Counted{},
		Labels: map[string]map[string]string{}, Rules: map[string][]string{}, Unchecked: map[string][]string{}, Interfaces: map[string]string{},
		Spread: .03, Figure: 3170, FigureText: "3.17k IOPS",
	}
	for _, h := range hostsOfTests {
		s.Facts[h], s.Interfaces[h], s.Labels[h] = soundFacts(h), "eth0", map[string]string{"rack": "a", "cooling": "tower"}
		s.Counted[h] = Counted{Clock: 3.5e9, DriveHeat: 40, Got: .98, Idle: .9, Work: 1700}
		if h != host && h != peer {
			s.Others = append(s.Others, h)
		}
	}
	return s
}

// plant maps each fault to a function that plants its traces besides slow
// figures; every fault has one.
var plant = map[string]func(s *Suspect, f *assay.Facts, c *Counted){
	"link-slow":         func(s *Suspect, f *assay.Facts, _ *Counted) { f.NICs[0].Speed, s.Rate = 1e9, .94e9/8 },
	"link-duplex":       func(_ *Suspect, f *assay.Facts, _ *Counted) { f.NICs[0].Duplex = "half" },
	"link-sends-slowly": none, "link-receives-slowly": none, "link-lossy": none, "link-lossy-in": none, "link-lossy-out": none,
	"link-limited":    tested(TestFlows, Tested{Own: []float64{1.02, 1.1}}),
	"link-policed-in": tested(TestUDP, wholeUDP), "link-policed-out": tested(TestUDP, wholeUDP),
	"tcp-window-in": sysctl("net.ipv4.tcp_rmem", "4096 8192 8192"), "tcp-window-out": sysctl("net.ipv4.tcp_wmem", "4096 8192 16384"),
	"link-errors": func(_ *Suspect, _ *assay.Facts, c *Counted) { c.NICErrors = 800 },
	"link-flaps":  func(_ *Suspect, _ *assay.Facts, c *Counted) { c.LinksLost = map[string]float64{"eth0": 6, "eth7": 40} },
	"link-busy":   func(_ *Suspect, _ *assay.Facts, c *Counted) { c.Sent = map[string]float64{"eth0": 4e8} },
	"link-drops":  func(_ *Suspect, _ *assay.Facts, c *Counted) { c.NICDrops = 9000 },
	"link-bond":   func(_ *Suspect, f *assay.Facts, _ *Counted) { f.NICs[0].Members, f.NICs[0].Down = 1, 1 },
	"link-slot":   func(_ *Suspect, f *assay.Facts, _ *Counted) { f.NICs[0].Link = limits.PCIe(5, 1) },
	"link-offload": func(s *Suspect, _ *assay.Facts, _ *Counted) {
		for _, l := range rates {
			if s.Seen[l].Odd {
				s.Seen[l] = Sight{Odd: true, Ratio: 2.5}
			}
		}
	},
	"link-far": none, "link-unsteady": none, "link-twice": none, "path-unsteady": none,
	"route-wrong": strays, "path-route": strays,
	"mtu-low":          func(_ *Suspect, f *assay.Facts, _ *Counted) { f.NICs[0].MTU = 1500 },
	"mtu-high":         func(_ *Suspect, f *assay.Facts, _ *Counted) { f.NICs[0].MTU = 16000 },
	"mtu-black-hole":   func(s *Suspect, _ *assay.Facts, _ *Counted) { s.Silent = true },
	"path-black-hole":  func(s *Suspect, _ *assay.Facts, _ *Counted) { s.Silent = true },
	"mss-clamped":      none,
	"path-mss-clamped": none,
	"address-twice":    func(s *Suspect, _ *assay.Facts, _ *Counted) { s.Twins = []string{"pve3"} },
	"path-slow":        none, "path-lossy": none, "path-mtu": none, "path-far": none,

	"drive-spins":    func(_ *Suspect, f *assay.Facts, _ *Counted) { yes := true; f.Block[0].Rotational = &yes },
	"drive-link":     func(_ *Suspect, f *assay.Facts, _ *Counted) { f.Block[0].Link = limits.USB(480) },
	"drive-other":    func(_ *Suspect, f *assay.Facts, _ *Counted) { f.Block[0].Model = "Beta" },
	"drive-firmware": func(_ *Suspect, f *assay.Facts, _ *Counted) { f.Block[0].Firmware = "0B" },
	"drive-failing":  func(_ *Suspect, _ *assay.Facts, c *Counted) { c.MediaErrors = 12 },
	"drive-hot":      func(_ *Suspect, _ *assay.Facts, c *Counted) { c.DriveHeat = 82 },
	"drive-flush":    func(_ *Suspect, f *assay.Facts, _ *Counted) { no := false; f.Block[0].PLP = &no },
	"drive-cache":    func(_ *Suspect, f *assay.Facts, _ *Counted) { f.Block[0].WriteCache = "write through" },
	"drive-slc":      finds("slc-cliff"),
	"disk-limit": func(_ *Suspect, f *assay.Facts, _ *Counted) {
		f.Limits = &assay.LimitFacts{IO: []assay.IOLimit{{Device: "nvme0n1", Reads: 1000}}}
	},
	"disk-throttled": func(s *Suspect, _ *assay.Facts, _ *Counted) {
		s.Spread, s.Figure, s.FigureText = .002, 5000, "5.00k IOPS"
	},
	"disk-full": func(_ *Suspect, f *assay.Facts, _ *Counted) { f.Dirs[0].Free = 1e10 },
	"disk-crypt": func(_ *Suspect, f *assay.Facts, _ *Counted) {
		f.Block = append(f.Block, assay.BlockDevice{Name: "dm-0", Kind: "crypt", On: []string{"nvme0n1"}})
		f.Dirs[0].Device = "dm-0"
	},
	"disk-busy":     func(_ *Suspect, _ *assay.Facts, c *Counted) { c.Foreign = 18e6 },
	"raid-rebuilds": array("recovery 12.6%"),
	"raid-scrubs":   array("check 40.1%"),
	"replication-resyncs": func(_ *Suspect, f *assay.Facts, _ *Counted) {
		f.Stack = &assay.StackFacts{Kind: "ceph", Health: "HEALTH_WARN", Lacking: "12 placement groups degraded"}
	},

	"cpu-quota": func(_ *Suspect, f *assay.Facts, c *Counted) {
		f.Limits = &assay.LimitFacts{CPU: .5}
		c.Throttled, c.Got = .9, .5
	},
	"cpu-limit-unseen": func(_ *Suspect, _ *assay.Facts, c *Counted) { c.Got, c.Idle = .2, .8 },
	"cpu-governor":     func(_ *Suspect, f *assay.Facts, c *Counted) { f.CPU.Governor = "powersave"; c.Work = 600 },
	"cpu-turbo":        func(_ *Suspect, f *assay.Facts, _ *Counted) { no := false; f.CPU.Turbo = &no },
	"cpu-clock":        func(_ *Suspect, f *assay.Facts, _ *Counted) { f.CPU.MaxHz = 2.1e9 },
	"cpu-capped":       func(_ *Suspect, _ *assay.Facts, c *Counted) { c.Clock = 1.6e9 },
	"cpu-throttles":    func(_ *Suspect, _ *assay.Facts, c *Counted) { c.Throttles = 40; c.Clock = 2.4e9 },
	"cpu-threads":      func(_ *Suspect, f *assay.Facts, _ *Counted) { f.CPU.Threads, f.CPU.Usable, f.CPU.Cores = 8, 8, 4 },
	"cpu-set":          func(_ *Suspect, f *assay.Facts, _ *Counted) { f.CPU.Usable = 8 },
	"cpu-smt":          func(_ *Suspect, f *assay.Facts, _ *Counted) { f.CPU.Cores = 32 },
	"cpu-other":        func(_ *Suspect, f *assay.Facts, _ *Counted) { f.CPU.Model = "Xeon 4110" },
	"cpu-mitigations": func(_ *Suspect, f *assay.Facts, _ *Counted) {
		f.CPU.Mitigations = map[string]string{"meltdown": "none"}
	},
	"cooling": func(s *Suspect, _ *assay.Facts, _ *Counted) {
		s.Labels[s.Host] = map[string]string{"rack": "a", "cooling": "stock"}
	},
	"neighbour": func(s *Suspect, _ *assay.Facts, c *Counted) {
		s.Rules["noisy-neighbour"] = []string{s.Host}
		c.Process, c.Share = "qemu", .8
	},
	"process-busy": func(_ *Suspect, _ *assay.Facts, c *Counted) { c.Process, c.Share = "sh", 9 },
	"steal":        func(_ *Suspect, _ *assay.Facts, c *Counted) { c.Steal, c.Got = .2, .6 },
	"virtual":      func(_ *Suspect, f *assay.Facts, _ *Counted) { yes := true; f.CPU.Virtual = &yes },
	"label": func(s *Suspect, _ *assay.Facts, _ *Counted) {
		s.Labels[s.Host] = map[string]string{"rack": "a", "cooling": "tower", "pool": "spare"}
	},

	"memory-channels": func(s *Suspect, f *assay.Facts, _ *Counted) { f.Memory.Channels = 1 },
	"memory-speed": func(_ *Suspect, f *assay.Facts, _ *Counted) {
		f.Memory.DIMMs = []assay.DIMM{{MTs: 1600, Bytes: 64 << 30}}
	},
	"memory-node":  func(s *Suspect, f *assay.Facts, _ *Counted) { f.CPU.Sockets = 2 },
	"memory-limit": func(_ *Suspect, f *assay.Facts, _ *Counted) { f.Limits = &assay.LimitFacts{Memory: 1 << 30} },
	"memory-swaps": func(s *Suspect, _ *assay.Facts, c *Counted) {
		c.Swapped = 300e6
		s.Rules["memory-short"] = []string{s.Host}
	},

	"clock-rate": func(s *Suspect, _ *assay.Facts, c *Counted) { clocksRun(s, c, -.1) },
	"guest-stopped": func(s *Suspect, f *assay.Facts, c *Counted) {
		yes := true
		f.CPU.Virtual = &yes
		clocksRun(s, c, -.7)
	},
	"clock-off":    func(_ *Suspect, f *assay.Facts, _ *Counted) { f.Clock = &assay.ClockFacts{Offset: 3600, Within: .01} },
	"fio-script":   tool("fio", assay.ToolFacts{Version: "3.33", Script: true}),
	"fio-version":  tool("fio", assay.ToolFacts{Version: "2.21"}),
	"tool-script":  tool("iperf3", assay.ToolFacts{Version: "3.12", Script: true}),
	"tool-version": tool("sysbench", assay.ToolFacts{Version: "0.4"}),
	"kernel-other": func(_ *Suspect, f *assay.Facts, _ *Counted) { f.OS.Kernel = "5.10.0" },
	"bios-other":   func(_ *Suspect, f *assay.Facts, _ *Counted) { f.OS.BIOS = "0.9" },
}

func none(*Suspect, *assay.Facts, *Counted) {}

func strays(s *Suspect, _ *assay.Facts, _ *Counted) {
	s.Strays = []Stray{{From: s.Host, To: "pve2", Asked: "storage", Took: "over management"}}
}

func finds(rule string) func(*Suspect, *assay.Facts, *Counted) {
	return func(s *Suspect, _ *assay.Facts, _ *Counted) { s.Rules[rule] = []string{s.Host} }
}

func array(state string) func(*Suspect, *assay.Facts, *Counted) {
	return func(_ *Suspect, f *assay.Facts, _ *Counted) {
		f.Block = append(f.Block, assay.BlockDevice{Name: "md0", Kind: "raid", Sync: state})
	}
}

// sysctl plants a setting, and a test in which four flows carry four times as
// much as one.
func sysctl(name, value string) func(*Suspect, *assay.Facts, *Counted) {
	return func(s *Suspect, f *assay.Facts, _ *Counted) {
		f.OS.Sysctls = maps.Clone(f.OS.Sysctls)
		f.OS.Sysctls[name] = value
		s.Tested = map[string]Tested{TestFlows: {Own: []float64{3.9}}}
	}
}

// clocksRun sets a host's clock to the wrong speed and those of the others to the right one.
func clocksRun(s *Suspect, own *Counted, wrong float64) {
	for _, h := range s.Others {
		others := s.Counted[h]
		others.ClockTold = true
		s.Counted[h] = others
	}
	own.ClockTold, own.ClockError = true, wrong
}

func tool(name string, has assay.ToolFacts) func(*Suspect, *assay.Facts, *Counted) {
	return func(_ *Suspect, f *assay.Facts, _ *Counted) {
		f.Tools = slices.Clone(f.Tools)
		for i := range f.Tools {
			if f.Tools[i].Name == name {
				has.Name, has.Path = name, "/usr/local/bin/"+name
				f.Tools[i] = has
			}
		}
	}
}

// measuredLoads are the loads that a run of baseline and network measures.
var measuredLoads = slices.Concat(cpu, memory, storage, rates, losses, sizes, shorts, []Load{Warmth, RoundTrips, Unsteady, EchoesTwice, OnEveryNetwork})

// pathLoads are the loads of one path.
var pathLoads = slices.Concat(rates, losses, sizes, shorts, []Load{RoundTrips, Unsteady})

// sick returns a suspect with a fault for which these loads stand out.
func sick(h Hypothesis, odd func(Load) bool) *Suspect {
	s, all := sound("pve1", ""), measuredLoads
	if h.Of == OfPath {
		s, all = sound("pve1", "pve2"), pathLoads
	}
	for _, l := range all {
		s.Seen[l] = Sight{}
		if odd(l) {
			s.Seen[l] = Sight{Odd: true, Ratio: 2}
		}
	}
	put(s, h.ID)
	return s
}

// put plants the traces of a fault.
func put(s *Suspect, id string) {
	f, c := s.Facts[s.Host], s.Counted[s.Host]
	f.NICs, f.Block, f.Dirs = slices.Clone(f.NICs), slices.Clone(f.Block), slices.Clone(f.Dirs)
	plant[id](s, &f, &c)
	s.Facts[s.Host], s.Counted[s.Host] = f, c
}

// named returns the faults except the unexplained ones.
func named() []Hypothesis {
	return slices.DeleteFunc(slices.Clone(All), func(h Hypothesis) bool { return isUnexplained(&h) })
}

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }

// wholeUDP is low-rate UDP that arrives without loss, here as elsewhere.
var wholeUDP = Tested{Own: []float64{0}, Theirs: []float64{0}, At: "25 Mb/s"}

// tested plants the result of a deciding measurement.
func tested(test string, t Tested) func(s *Suspect, f *assay.Facts, c *Counted) {
	return func(s *Suspect, _ *assay.Facts, _ *Counted) { s.Tested = map[string]Tested{test: t} }
}

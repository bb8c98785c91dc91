package inventory

import (
	"context"
	_ "embed" // the script
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"

	"assay"
	"assay/internal/powershell"
	"assay/internal/winpath"
)

//go:embed windows.ps1
var windowsScript string

// discoverWindows is Discover on a Windows host.
func discoverWindows(ctx context.Context, at assay.Place, dirs, tools []string) (assay.Facts, error) {
	host := at.Host().Name
	dirs, tools = distinct(dirs), distinct(tools)
	for _, d := range dirs {
		if err := winpath.Check(d); err != nil {
			return assay.Facts{}, fmt.Errorf("host %s: directory %w", host, err)
		}
	}
	if err := checkNames(nil, tools); err != nil {
		return assay.Facts{}, fmt.Errorf("host %s: %w", host, err)
	}
	argv, err := powershell.Command(windowsScript, windowsAsked(dirs, tools))
	if err != nil {
		return assay.Facts{}, fmt.Errorf("host %s: %w", host, err)
	}
	out, err := at.Run(ctx, assay.Cmd{Argv: argv, Timeout: patience})
	if errors.Is(err, assay.ErrTimeout) {
		return assay.Facts{}, assay.WithHint("check WMI on it: does Get-Disk answer?", "host %s: asking for its facts: %w", host, err)
	}
	if err != nil {
		return assay.Facts{}, err // err names the host
	}
	f, err := ParseWindows(out.Stdout)
	if err != nil {
		return assay.Facts{}, fmt.Errorf("host %s: %s: %w", host, powershell.Said(out), err)
	}
	f.Host = host
	if !out.Started.IsZero() {
		f.Taken = out.Started
	}
	return f, nil
}

// windowsAsked returns the script's input, without null lists: PowerShell takes a null for
// one empty element.
func windowsAsked(dirs, tools []string) map[string][]string {
	return map[string][]string{"Dirs": append([]string{}, dirs...), "Tools": append([]string{}, tools...)}
}

// windowsSaid is the answer of windows.ps1, in the words of Windows' own
// classes.
type windowsSaid struct {
	OS struct {
		Caption, Version, CSName, Booted           string
		TotalVisibleMemorySize, FreePhysicalMemory amount // KiB
	}
	System struct {
		Manufacturer, Model string
		HypervisorPresent   *bool
	}
	BIOS  struct{ SMBIOSBIOSVersion string }
	CPUs  powershell.List[windowsCPU]
	Arch  string
	Disks powershell.List[windowsDisk]
	NICs  powershell.List[struct {
		Name, Description, Status string
		Speed, MTU                amount
		Virtual                   *bool
	}]
	Dirs powershell.List[struct {
		Path, Mount, FileSystem, Source, Attributes string
		Exists                                      bool
		Size, Free                                  amount
		Disks                                       powershell.List[amount]
	}]
	Tools   powershell.List[struct{ Name, Path, Says string }]
	Admin   bool
	Missing powershell.List[struct{ Fact, Why string }]
}

// windowsCPU is a Win32_Processor: a socket.
type windowsCPU struct {
	Name, Manufacturer                       string
	NumberOfCores, NumberOfLogicalProcessors amount
	MaxClockSpeed                            amount // MHz
	L2CacheSize, L3CacheSize                 amount // KiB
}

// windowsDisk is a disk of Get-Disk, with what Get-PhysicalDisk reports about
// it.
type windowsDisk struct {
	Number                                             amount
	FriendlyName, Model, SerialNumber, FirmwareVersion string
	BusType, MediaType                                 string
	Size, SpindleSpeed                                 amount
	IsReadOnly, IsDeviceCacheEnabled, IsPowerProtected *bool
}

// amount is a number that reads as 0 if it is null, a word or out of range.
type amount int64

// UnmarshalJSON implements json.Unmarshaler.
func (a *amount) UnmarshalJSON(text []byte) error {
	f, err := strconv.ParseFloat(strings.Trim(string(text), `"`), 64)
	if *a = 0; err == nil && f > 0 && f < math.MaxInt64/1024 {
		*a = amount(f)
	}
	return nil
}

// ParseWindows parses the output of windows.ps1. It is pure and total: it returns
// facts, or an error if out is not its answer. Missing facts are zero and listed in
// Facts.Missing.
func ParseWindows(out []byte) (assay.Facts, error) {
	var said windowsSaid
	if err := powershell.Read(out, &said); err != nil {
		return assay.Facts{}, err
	}
	var f assay.Facts
	missing := func(fact, why, hint string) {
		f.Missing = append(f.Missing, assay.MissingFact{Fact: fact, Why: why, Hint: hint})
	}
	f.OS = assay.OSFacts{
		Windows: true, Hostname: said.OS.CSName, Distribution: said.OS.Caption, Kernel: said.OS.Version, Arch: windowsArch(said.Arch),
		BootID: said.OS.Booted, Machine: strings.TrimSpace(said.System.Manufacturer + " " + said.System.Model), BIOS: said.BIOS.SMBIOSBIOSVersion,
	}
	f.Root = said.Admin
	f.Memory = assay.MemoryFacts{Total: int64(said.OS.TotalVisibleMemorySize) << 10, Available: int64(said.OS.FreePhysicalMemory) << 10}
	f.CPU = windowsProcessor(said.CPUs)
	f.CPU.Virtual = said.System.HypervisorPresent
	for _, d := range said.Disks {
		f.Block = append(f.Block, d.device())
	}
	for _, n := range said.NICs {
		nic := assay.NICFacts{Name: n.Name, State: strings.ToLower(n.Status), Speed: float64(n.Speed), MTU: int(min(n.MTU, 1<<20)), Driver: n.Description}
		nic.Virtual = n.Virtual != nil && *n.Virtual
		f.NICs = append(f.NICs, nic)
	}
	for _, d := range said.Dirs {
		dir := assay.DirFacts{Path: d.Path, Exists: d.Exists, Writable: d.Exists, Mount: d.Mount, FileSystem: strings.ToLower(d.FileSystem), Source: d.Source, Bytes: int64(d.Size), Free: int64(d.Free)}
		for _, word := range []string{"Compressed", "Encrypted"} {
			if strings.Contains(d.Attributes, word) {
				dir.Options = append(dir.Options, strings.ToLower(word))
			}
		}
		for _, n := range d.Disks {
			name := driveName(n)
			dir.Drives = append(dir.Drives, name)
			if b := f.Device(name); b != nil && b.ReadOnly {
				dir.Writable = false
			}
		}
		if len(dir.Drives) == 1 {
			dir.Device = dir.Drives[0]
		}
		f.Dirs = append(f.Dirs, dir)
	}
	for _, t := range said.Tools {
		tool := assay.ToolFacts{Name: t.Name, Path: t.Path}
		if t.Path != "" {
			if tool.Version = version(strings.Split(t.Says, "\n")); tool.Version == "" {
				missing(t.Name+" version", t.Name+" --version does not report it", "")
			}
		}
		f.Tools = append(f.Tools, tool)
	}
	for _, m := range said.Missing {
		missing(m.Fact, m.Why, "")
	}
	missing("clock, sensors, limits, scheduler, links of drives", "they are not read on Windows", "")
	return f, nil
}

// driveName returns the name of a disk: the last element of its path.
func driveName(number amount) string { return "PhysicalDrive" + strconv.FormatInt(int64(number), 10) }

func windowsArch(word string) string {
	switch word {
	case "AMD64":
		return "x86_64"
	case "ARM64":
		return "aarch64"
	}
	return strings.ToLower(word)
}

func windowsProcessor(sockets []windowsCPU) assay.CPUFacts {
	c := assay.CPUFacts{Sockets: len(sockets)}
	for _, s := range sockets {
		c.Model, c.Vendor = strings.Join(strings.Fields(s.Name), " "), s.Manufacturer
		c.Cores += int(min(s.NumberOfCores, 1<<16))
		c.Threads += int(min(s.NumberOfLogicalProcessors, 1<<16))
		c.MaxHz = float64(s.MaxClockSpeed) * 1e6
	}
	c.Usable = c.Threads
	if len(sockets) > 0 {
		for level, size := range []amount{2: sockets[0].L2CacheSize, 3: sockets[0].L3CacheSize} {
			if size > 0 {
				c.Caches = append(c.Caches, assay.Cache{Level: level, Type: "Unified", Bytes: int64(size) << 10, Count: len(sockets)})
			}
		}
	}
	return c
}

// device converts the disk to the form used for other hosts. Windows reports how its driver
// is attached, which for a hypervisor's disks is SCSI or SAS whatever they are.
func (d windowsDisk) device() assay.BlockDevice {
	b := assay.BlockDevice{
		Name: driveName(d.Number), Path: `\\.\` + driveName(d.Number), Kind: "disk", Bytes: int64(d.Size),
		Model: strings.TrimSpace(d.FriendlyName), Serial: strings.TrimSpace(d.SerialNumber), Firmware: strings.TrimSpace(d.FirmwareVersion),
		Bus: windowsBus[strings.ToUpper(d.BusType)], ReadOnly: d.IsReadOnly != nil && *d.IsReadOnly, PLP: d.IsPowerProtected,
	}
	if b.Model == "" {
		b.Model = strings.TrimSpace(d.Model)
	}
	if strings.Contains(b.Model, "VirtIO") {
		b.Bus = assay.BusVirtio
	}
	switch d.MediaType {
	case "HDD":
		b.Rotational, b.RPM = truth(true), 0
		if d.SpindleSpeed < math.MaxUint32 {
			b.RPM = int(d.SpindleSpeed)
		}
	case "SSD", "SCM":
		b.Rotational = truth(false)
	}
	if d.IsDeviceCacheEnabled != nil {
		b.WriteCache = map[bool]string{true: "write back", false: "write through"}[*d.IsDeviceCacheEnabled]
	}
	return b
}

// windowsBus maps the values of MSFT_Disk.BusType, as words and as numbers, that say how a
// drive is attached.
var windowsBus = map[string]assay.Bus{
	"ATA": assay.BusSATA, "3": assay.BusSATA, "SATA": assay.BusSATA, "11": assay.BusSATA, "USB": assay.BusUSB, "7": assay.BusUSB,
	"ISCSI": assay.BusISCSI, "9": assay.BusISCSI, "SD": assay.BusMMC, "12": assay.BusMMC, "MMC": assay.BusMMC, "13": assay.BusMMC,
	"NVME": assay.BusNVMe, "17": assay.BusNVMe,
}

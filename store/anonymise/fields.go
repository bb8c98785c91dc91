package anonymise

// class is what a field's strings contain.
type class int

const (
	unclassified class = iota // a test rejects it; cleaned as text
	fixed                     // a word of assay's vocabulary, or a hardware term: kept
	text                      // free text: known names in it are replaced
	host                      // a host's name; in a map, the keys
	measured                  // the name of a host of the inventory
	addresses                 // a map from hosts to addresses
	serial                    // a serial number
	path                      // of a file or directory: anything below a home goes
	file                      // a path: only the file extension stays
	nic                       // a network interface; in a map, the keys
	name                      // a name that somebody gave a network, pool, class or volume
	own                       // a person's text about a run: removed entirely
	runID                     // a run's id
	place                     // path of a file that was read, perhaps with a line
	address                   // a URL whose host is a host's name
	output                    // command lines, tool input and output: only tools' words stay
	prose                     // assay's text, perhaps quoting other programs: only words of both stay
	product                   // a maker's product name: its words stay in prose; cleaned as text
	chosen                    // a suite's or case's name, perhaps user-given: only words of assay and of tools stay
	device                    // a block device's name, perhaps a user-given one
	option                    // a mount option: of its value, only words of assay and of tools stay
)

// fields classifies every field that holds strings or bytes, by type and name. A
// test walks the types and fails if one is missing.
var fields = map[string]class{
	"Run.ID": runID, "Run.Suite": chosen, "Run.Version": fixed, "Run.Status": fixed,
	"Inventory.Facts": host, "Inventory.File": place,
	"Host.Name": measured, "Host.OS": fixed, "Host.Labels": own,
	"Absence.Word": fixed, "Absence.Why": prose, "Absence.Hint": prose, "Absence.Gone": host,
	"Subject.ID": text, "Subject.Kind": fixed, "Subject.Host": host, "Subject.Name": path, "Subject.On": text,
	"Subject.Source": path, "Subject.Peer": host, "Subject.Network": name,
	"Subject.Volume": fixed, "Subject.Params": text, "Subject.Tier": host,
	"Tier.Name": host, "Tier.Kind": fixed, "Tier.Hosts": host, "Tier.Nodes": addresses, "Tier.Set": text,
	"ObjectStore.Name": host, "ObjectStore.Endpoints": address, "ObjectStore.Region": fixed, "ObjectStore.CA": place,
	"ObjectStore.Credentials": place, "GarageAdmin.Address": address, "GarageAdmin.Token": place,
	"KubernetesAccess.Kubeconfig": place, "KubernetesAccess.Context": host,
	"Network.Name": name, "Network.Addresses": addresses,
	"Resource.Name": name, "Resource.Networks": name, "Resource.Hosts": host, "Resource.Directories": path,
	"Trial.ID": text, "Trial.Probe": fixed, "Trial.FilledBy": fixed, "Trial.Case": chosen, "Trial.Title": prose, "Trial.Settings": text, "Trial.Claims": text,
	"Trial.Risk": fixed, "Trial.Peer": host, "Trial.Helpers": host, "Trial.Volume": fixed, "Trial.Lend": text, "Trial.Order": fixed, "Trial.Comparison": text, "Trial.Decides": text, "Trial.From": place,
	"Scratch.Dir": path, "Scratch.File": path, "Scratch.Devices": text, "Scratch.Copied": text, "Scratch.Purge": fixed,
	"Image.Pool": name, "Image.Name": text, "Image.User": name, "Image.Keyring": file, "Image.Conf": file, "Image.Features": fixed, "Image.Settings": text,
	"Repeat.Outcome": fixed, "Repeat.Watches": host, "Repeat.Error": output, "Repeat.Hint": prose,
	"Measurement.Metric": fixed, "Measurement.Unit": fixed, "Measurement.Labels": text,
	"Snapshot.Devices": fixed, "Tick.Devices": fixed, "Tick.Temps": fixed,
	"Snapshot.NICs": nic, "ProcessTime.Name": prose,
	"Finding.Rule": fixed, "Finding.Severity": fixed, "Finding.Subject": text, "Finding.Metrics": fixed,
	"Finding.Arithmetic": prose, "Finding.Message": prose, "Finding.Advice": prose, "Finding.Missing": prose,
	"Note.ID": fixed, "Note.Text": prose, "Run.Labels": own, "Remark.Text": own,
	"Transcript.Probe": fixed, "Transcript.Settings": text,
	"Step.Host": host, "Step.Name": text, "Step.Argv": output, "Step.Stdin": output, "Output.Stdout": output, "Output.Stderr": output,

	"Facts.Host": host, "Facts.Packager": fixed,
	"IOLimit.Device":   text,
	"MissingFact.Fact": prose, "MissingFact.Why": prose, "MissingFact.Hint": prose,
	"OSFacts.Hostname": host, "OSFacts.Distribution": fixed, "OSFacts.Kernel": product, "OSFacts.Arch": fixed, "OSFacts.BootID": text,
	"OSFacts.Machine": product, "OSFacts.BIOS": product, "OSFacts.Container": fixed,
	"OSFacts.CommandLine": text, "OSFacts.IOMMU": fixed, "OSFacts.HugePages": fixed, "OSFacts.Sysctls": text, "CPUFacts.IdleStates": fixed,
	"CPUFacts.Model": fixed, "CPUFacts.Vendor": fixed, "CPUFacts.Governor": fixed, "CPUFacts.Driver": fixed,
	"CPUFacts.Virtualisation": fixed, "CPUFacts.Mitigations": fixed, "Cache.Type": fixed,
	"DIMM.Locator": fixed, "DIMM.Bank": fixed, "DIMM.Type": fixed, "DIMM.Part": fixed,
	"BlockDevice.Name": device, "BlockDevice.Path": path, "BlockDevice.Kind": fixed, "BlockDevice.On": text, "BlockDevice.Model": product,
	"BlockDevice.Serial": serial, "BlockDevice.Firmware": fixed, "BlockDevice.Bus": fixed, "BlockDevice.WriteCache": fixed,
	"BlockDevice.Scheduler": fixed, "BlockDevice.Backing": file, "BlockDevice.Mounts": path, "BlockDevice.Sync": fixed,
	"Link.Kind": fixed, "Link.Mode": fixed, "Link.At": text,
	"DirFacts.Path": path, "DirFacts.Mount": path, "DirFacts.FileSystem": fixed, "DirFacts.Source": path, "DirFacts.Options": option,
	"DirFacts.Device": text, "DirFacts.Drives": text, "DirFacts.Dataset": path,
	"PoolFacts.Kind": fixed, "PoolFacts.Name": name, "PoolFacts.Version": product, "PoolFacts.Properties": text,
	"NICFacts.Name": nic, "NICFacts.State": fixed, "NICFacts.Duplex": fixed, "NICFacts.Driver": fixed, "NICFacts.Slot": text,
	"StackFacts.Kind": fixed, "StackFacts.Version": product, "StackFacts.Health": text, "StackFacts.Lacking": text, "StackFacts.Protocol": fixed, "StackFacts.Settings": text, "StackFacts.OSD": text,
	"StackFacts.PublicNIC": text, "StackFacts.ClusterNIC": text,
	"StackDisk.Name": text, "StackDisk.Host": host, "StackDisk.Devices": text, "StackDisk.Copies": text, "StackDisk.Serves": text,
	"ClaimFacts.Class": name, "ClaimFacts.Provisioner": text, "ClaimFacts.Driver": fixed, "ClaimFacts.Volume": name,
	"GuestFacts.Hypervisor": host, "GuestFacts.CPU": fixed, "GuestFacts.Machine": fixed, "GuestFacts.Template": name, "GuestDisk.Name": fixed, "GuestDisk.Bus": fixed,
	"GuestDisk.Storage": name, "GuestDisk.Source": path, "GuestDisk.Serial": serial, "GuestDisk.Cache": fixed, "GuestDisk.AIO": fixed, "GuestDisk.Device": text,
	"ClaimFacts.Nodes": host, "ClaimFacts.Locality": fixed, "ClaimFacts.Copies": host,
	"Sensor.Key": fixed, "Sensor.Path": text, "Sensor.Kind": fixed, "Sensor.Drive": fixed,
	"ToolFacts.Name": fixed, "ToolFacts.Path": path, "ToolFacts.Version": product,
}

package incident

// Kinds from clusters, hypervisors and their operators.
const (
	CutOff          Kind = "taken away by a command"
	EngineError     Kind = "replication engine reports an error"
	HypervisorError Kind = "hypervisor reports an error"
	VirtualNoise    Kind = "virtual device that lacks something"
	NICNoSpeed      Kind = "network port that reports no speed"
	BadChecksum     Kind = "packets with a bad checksum"
	NameFails       Kind = "name service does not answer"
	PortalFails     Kind = "iSCSI portal not reached"
	SwitchFault     Kind = "switch or router reports a fault"
	PathBack        Kind = "multipath path is back"
)

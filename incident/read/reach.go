package read

import (
	"slices"

	"assay/incident"
)

// reachSignatures returns signatures for services that clients can't reach, and for
// damaged packets that kernels report.
func reachSignatures() []signature {
	return slices.Concat(
		said(incident.NoRoute,
			"host is down", "Host is down", "TLS handshake timeout", "onnection timed out during banner exchange", "Failed to connect to peer", "lost the TCP streaming connection", "node is unreachable", "nodes are unreachable", "ost unreachable", "net/http: request canceled while waiting for connection",
		),
		said(incident.NameFails,
			"Temporary failure in name resolution", "emporary failure resolving", "no servers could be reached", "server misbehaving", "could not resolve host", "Could not resolve host", "Name or service not known", "resolv.conf: no nameserver", "plugin/loop: Loop", "plugin/errors: 2 ",
		),
		said(incident.PortalFails,
			"failed to sendtargets to portal", "onnection to Discovery Address", "failed to receive a PDU", "iSCSI discovery failed", "failed to discover iscsi", "failed to login iscsi", "failed to find device path", "iscsi: no device found",
		),
		said(incident.SwitchFault,
			"err-disabled", "err-disable", "errdisable", "BPDU guard", "bpduguard", "BPDUGUARD", "UDLD", "ative VLAN mismatch", "NATIVE_VLAN_MISMATCH", "uplex mismatch", "DUPLEX_MISMATCH", "oopback detected", "oop detected on port", "torm control", "STORM_CONTROL", "STP_BLOCK", "SPANTREE-2", "dead timer expired", "InactivityTimer",
			"Entering FAULT STATE", "Transition to FAULT STATE", "Hold timer expired", "hold timer expired", "BGP-5-ADJCHANGE", "OSPF-5-ADJCHG", "No working forwarders", "no working forwarders", "did not complete after 5 seconds, retrying", "Stopping further handshakes", "VLAN ID mismatch", "PVID mismatch",
		),
		said(incident.MTUDiffers, "essage too long, mtu=", "essage too long, mtu: ", "PMTUD: ", "packet too big"),
		said(incident.PathBack, ": Reinstating path ", ": reinstated"),
		[]signature{
			{has: "UDP: bad checksum", kind: incident.BadChecksum, device: nothing},
			{has: "UDP: short packet", kind: incident.BadChecksum, device: nothing},
			{has: "TCP: ", kind: incident.BadChecksum, device: nothing, and: "bad checksum"},
			{has: "InCsumErrors", kind: incident.BadChecksum, device: nothing, not: []string{"InCsumErrors 0", "InCsumErrors: 0", "InCsumErrors                    0", " 0.0"}},
			{has: "changed state to down", kind: incident.NICDown, device: after("nterface "), and: "UPDOWN"}, // Cisco
			{has: "went from Established to ", kind: incident.SwitchFault, device: nothing},
			{has: "lookup ", kind: incident.NameFails, device: nothing, or: []string{": i/o timeout", "no such host"}},
			{has: "dial tcp", kind: incident.NoRoute, device: nothing, or: []string{"connect: connection timed out", "operation timed out"}},
			{has: "connect: connection timed out", kind: incident.NoRoute, device: nothing},
		},
	)
}

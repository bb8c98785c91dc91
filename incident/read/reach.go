package read

import (
	"slices"

	"assay/incident"
)

// reachSignatures are what clients say of services that they don't reach, and kernels of
// packets that arrive damaged.
var reachSignatures = slices.Concat(
	said(incident.NoRoute,
		"host is down", "Host is down", "TLS handshake timeout", "onnection timed out during banner exchange", "Failed to connect to peer", "lost the TCP streaming connection", "node is unreachable", "nodes are unreachable", "ost unreachable", "net/http: request canceled while waiting for connection",
	),
	said(incident.NameFails,
		"Temporary failure in name resolution", "emporary failure resolving", "no servers could be reached", "server misbehaving", "could not resolve host", "Could not resolve host", "Name or service not known", "resolv.conf: no nameserver", "plugin/loop: Loop", "plugin/errors: 2 ",
	),
	said(incident.PortalFails,
		"failed to sendtargets to portal", "onnection to Discovery Address", "failed to receive a PDU", "iSCSI discovery failed", "failed to discover iscsi", "failed to login iscsi", "failed to find device path", "iscsi: no device found",
	),
	said(incident.PathBack, ": Reinstating path ", ": reinstated"),
	[]signature{
		{has: "UDP: bad checksum", kind: incident.BadChecksum, device: nothing},
		{has: "UDP: short packet", kind: incident.BadChecksum, device: nothing},
		{has: "TCP: ", kind: incident.BadChecksum, device: nothing, and: "bad checksum"},
		{has: "InCsumErrors", kind: incident.BadChecksum, device: nothing, not: []string{"InCsumErrors 0", "InCsumErrors: 0", "InCsumErrors                    0", " 0.0"}},
		{has: "lookup ", kind: incident.NameFails, device: nothing, or: []string{": i/o timeout", "no such host"}},
		{has: "dial tcp", kind: incident.NoRoute, device: nothing, or: []string{"connect: connection timed out", "operation timed out"}},
		{has: "connect: connection timed out", kind: incident.NoRoute, device: nothing},
	},
)

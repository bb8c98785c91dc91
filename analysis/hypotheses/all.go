package hypotheses

import "slices"

// All are the faults that are weighed, one per file, and one per layer that stands
// for all faults not listed.
var All = slices.Concat([]Hypothesis{
	linkSlow, linkDuplex, linkSends, linkReceives, linkLossy, linkLossyIn, linkLossyOut, linkErrors, linkFlaps, linkBusy, linkDrops, linkBond, linkSlot, linkOffload, linkFar, linkUnsteady, linkTwice,
	linkLimited, linkPolicedIn, linkPolicedOut, tcpWindowIn, tcpWindowOut,
	routeWrong, mtuLow, mtuHigh, mtuHole, mssClamped, addressTwice,
	pathSlow, pathLossy, pathMTU, pathHole, pathClamped, pathFar, pathUnsteady, pathRoute,
	driveSpins, driveLink, driveOther, driveFirmware, driveFailing, driveHot, driveFlush, driveCache, driveSLC,
	diskLimit, diskThrottled, diskFull, diskCrypt, diskBusy, raidRebuilds, raidScrubs, replicationResyncs,
	cpuQuota, cpuUnseen, cpuGovernor, cpuTurbo, cpuClock, cpuCapped, cpuThrottles, cpuThreads, cpuSet, cpuSMT, cpuOther, cpuMitigations,
	cooling, neighbour, processBusy, steal, virtual, labelOdd,
	memoryChannels, memorySpeed, memoryNode, memoryLimit, memorySwaps,
	clockOff, clockRate, guestStopped, fioScript, fioVersion, toolScript, toolVersion, kernelOther, biosOther,
}, []Hypothesis{
	unexplained("storage", OfHost, "Check the drive of {host}, its I/O limits and other workloads on it", storage...),
	unexplained("network", OfHost, "Check the cable, port and interface of {host} on {network}", slices.Concat(rates, losses, sizes, []Load{RoundTrips, Unsteady, EchoesLost, EchoesTwice, OnEveryNetwork})...),
	unexplained("cpu", OfHost, "Check what differs on {host} (see assay hosts)", cpu...),
	unexplained("memory", OfHost, "Check what differs on {host} (see assay hosts)", memory...),
	unexplained("thermal", OfHost, "Check the fan, thermal paste and airflow of {host}", Warmth),
	unexplained("network", OfPath, "Check the cable and ports between {host} and {peer} on {network}", slices.Concat(rates, losses, sizes, []Load{RoundTrips, Unsteady, EchoesLost, EchoesTwice})...),
})

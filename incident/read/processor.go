package read

import (
	"strings"

	"assay/incident"
)

// processorSignatures match reports of kernels, their tools, compilers and tests about
// processors and memory that compute or store something wrong.
var processorSignatures = []signature{
	{has: "APIC error on CPU", kind: incident.APICError, device: nothing, not: []string{"00(00)"}},
	{has: "The bug is not reproducible, so it is likely a hardware or OS problem", kind: incident.MemoryTest, device: nothing}, // GCC, after a retry
	{has: "fault.memory.", kind: incident.EDACCorrected, device: nothing},                                                      // Solaris, illumos
	{has: "fault.cpu.", kind: incident.MCE, device: nothing},
	{has: "ereport.cpu.", kind: incident.MCE, device: nothing, and: "mem_ue"},
	{has: "fault.io.pciex", kind: incident.AERFatal, device: nothing},
	{has: "ereport.io.pciex.", kind: incident.AERCorrected, device: nothing},
	{has: "fault.io.disk.", kind: incident.RAIDDrive, device: nothing},
	{has: "fault.io.scsi.cmd.disk.dev.rqs.merr", kind: incident.MediumError, device: nothing},
	{has: "MCA error detected via CMCI", kind: incident.MCELogged, device: nothing},                               // ESXi
	{has: "The hardware reports a non fatal, correctable incident occurred", kind: incident.MCE, device: nothing}, // Linux 2.4, Xen
	{has: "Severe Machine check interrupt", kind: incident.MCE, device: nothing},                                  // POWER
	{has: "Error records from previous boot", kind: incident.MCELogged, device: nothing, and: "BERT"},
	{has: "rasdaemon", kind: incident.EDACCorrected, device: nothing, and: "mc_event", or: []string{"Corrected"}},
	{has: "rasdaemon", kind: incident.MCELogged, device: nothing, and: "mce_record"},
	{has: "Err-Bits", kind: incident.MemoryTest, device: nothing}, // memtest86+'s table of errors
	{has: "Failing Address", kind: incident.MemoryTest, device: nothing, or: []string{"Good", "Expected"}},
	{has: "DIMM", kind: incident.EDACFatal, device: nothing, or: []string{"was disabled due to", "has been disabled", "mapped out", "failed memory training", "raining failure", "nitialization Error", "onfiguration Error"}},
	{has: "emory training fail", kind: incident.EDACFatal, device: nothing},
	{has: "| Memory", kind: incident.EDACFatal, device: nothing, and: "Asserted", or: []string{"Memory Device Disabled", "| Parity"}},
	{has: "emory patrol scrub", kind: incident.EDACCorrected, device: nothing, and: "rror"},
	{has: "HANDLING MCE MEMORY ERROR", kind: incident.EDACCorrected, device: nothing},
	{has: "traps: ", kind: incident.Segfault, device: trapped, or: []string{"general protection", "trap invalid opcode"}},
	{has: "general protection fault ip:", kind: incident.Segfault, device: trapped},
	{has: " general protection ip:", kind: incident.Segfault, device: trapped},
	{has: "trap invalid opcode ip:", kind: incident.Segfault, device: trapped},
	{has: "]: segfault ", kind: incident.Segfault, device: segfaulted},
	{has: "exited on signal 11", kind: incident.Segfault, device: freeBSDProgram}, // FreeBSD
	{has: "exited on signal 10", kind: incident.Segfault, device: freeBSDProgram},
}

// trapped returns the program in "traps: node[123] general protection ip:…".
func trapped(text string) string {
	return segfaulted(strings.TrimPrefix(text, "traps: "))
}

// freeBSDProgram returns the program in "pid 1234 (postgres), jid 0, uid 770: exited on
// signal 11".
func freeBSDProgram(text string) string { return after("(")(text) }

// onCPU reads the processor on which a program crashed, logged by Linux since 6.1: "likely
// on CPU 3 (core 4, socket 0)".
func (r *Reader) onCPU(text string, n int) {
	if !strings.Contains(text, "]: segfault") && !strings.Contains(text, "general protection") {
		return
	}
	if number := after("likely on CPU ")(text); digits(number) {
		r.event(incident.CrashOnCPU, "CPU "+number, 0, r.line, n)
	}
}

package read

// countedFacts returns matchers for lines in which drives, file systems and processors
// count or number their own errors.
func countedFacts() []fact {
	return []fact{
		{"Unsafe Shutdowns:", (*Reader).unsafeStops},
		{"unsafe_shutdowns", (*Reader).unsafeStops},
		{"vailable_spare", (*Reader).spare},
		{"Available Spare", (*Reader).spare},
		{"].corruption_errs", (*Reader).btrfsStat},
		{"].write_io_errs", (*Reader).btrfsStat},
		{"].read_io_errs", (*Reader).btrfsStat},
		{"].flush_io_errs", (*Reader).btrfsStat},
		{"Error summary:", (*Reader).scrubErrors},
		{"error details:", (*Reader).scrubErrors},
		{"Corrected:", (*Reader).scrubRepaired},
		{"corrected errors:", (*Reader).scrubRepaired},
		{"likely on CPU ", (*Reader).onCPU},
	}
}

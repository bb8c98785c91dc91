package analysis

// BusyRule is the audit's word for a machine that is not left alone.
const BusyRule = "noisy-neighbour"

package hypotheses

const (
	windowDecides = "iperf3 -P 4: where a window is the limit, four flows carry four times as much"
	windowRemedy  = "Compare the socket buffers of {host} with the others': sysctl net.ipv4.tcp_rmem net.ipv4.tcp_wmem net.core.rmem_max net.core.wmem_max"
)

// tcpWindowIn is a receive buffer so small that each flow waits for acknowledgements.
var tcpWindowIn = Hypothesis{
	ID: "tcp-window-in", Layer: "network", Name: "a TCP receive buffer that is too small", Usual: 3,
	Slows:   slows(.95, Receives).and(sometimes, OnEveryNetwork),
	Clues:   []Clue{boundByFlow},
	Decides: windowDecides, Remedy: windowRemedy,
}

// tcpWindowOut is a send buffer that is.
var tcpWindowOut = Hypothesis{
	ID: "tcp-window-out", Layer: "network", Name: "a TCP send buffer that is too small", Usual: 3,
	Slows:   slows(.95, Sends).and(sometimes, OnEveryNetwork),
	Clues:   []Clue{boundByFlow},
	Decides: windowDecides, Remedy: windowRemedy,
}

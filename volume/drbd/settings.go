package drbd

import (
	"fmt"
	"slices"
	"strings"

	"assay"
)

// Settings of a case's lend.
const (
	WayProtocol = "protocol"
	WayAlone    = "alone" // with the peers disconnected
)

const (
	yes, no = "yes", "no"

	protocolA, protocolB, protocolC = "A", "B", "C"
)

// known lists the allowed values of each setting.
var known = map[string][]string{
	WayProtocol: {protocolA, protocolB, protocolC},
	WayAlone:    {yes, no},
}

// check rejects unknown settings and values.
func check(way assay.Way) error {
	if err := way.Check(Kind, WayAlone, WayProtocol); err != nil {
		return err
	}
	for name, value := range way {
		if !slices.Contains(known[name], value) {
			return fmt.Errorf("%s: %q is none of %s", name, value, strings.Join(known[name], ", "))
		}
	}
	return nil
}

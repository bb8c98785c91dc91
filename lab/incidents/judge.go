package incidents

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"assay/incident"
)

// Outcome is the score of a verdict.
type Outcome string

// The outcomes.
const (
	Right     Outcome = "right"     // it names the layer, or only layers that the fault leaves open
	Undecided Outcome = "undecided" // it also names others
	Wrong     Outcome = "wrong"     // it blames another layer, or another host
	Silent    Outcome = "nothing said"
)

// named is a cause in assay's output.
type named struct {
	Layer incident.Layer `json:"layer"`
	Host  string         `json:"host"`
	Says  string         `json:"says"`
}

// Judge scores the verdict in the output of assay diagnose --format json, and returns it
// in words.
func Judge(k Kind, printed []byte) (Outcome, string, error) {
	var d struct {
		Verdict *struct {
			Cause   *named  `json:"cause"`
			Between []named `json:"between"`
		} `json:"verdict"`
	}
	if err := json.Unmarshal(printed, &d); err != nil || d.Verdict == nil {
		return "", "", fmt.Errorf("no verdict in what assay printed: %.200q", printed)
	}
	between := d.Verdict.Between
	if d.Verdict.Cause != nil {
		between = []named{*d.Verdict.Cause}
	}
	var words []string
	fits := func(n named) bool { return slices.Contains(k.Layers, n.Layer) && (n.Host == "a" || n.Host == "") }
	for _, n := range between {
		words = append(words, fmt.Sprintf("%s (%s on %s)", n.Says, n.Layer, n.Host))
	}
	said := strings.Join(words, " or ")
	switch {
	case len(between) == 0 && len(k.Layers) == 0:
		return Right, "nothing", nil
	case len(between) == 0:
		return Silent, "nothing", nil
	case !slices.ContainsFunc(between, func(n named) bool { return !fits(n) }):
		return Right, said, nil
	case d.Verdict.Cause != nil:
		return Wrong, said, nil
	}
	return Undecided, said, nil
}

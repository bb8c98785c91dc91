package cluster

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"fmt"
	"strings"

	"assay/volume"
)

//go:embed schema.json
var schema []byte

// tierEnds is the end of a tier's definition, where the kinds are added.
var tierEnds = []byte(`"items": {"$ref": "#/$defs/KubeName"}}
      }
    }`)

// Schema returns the JSON Schema (draft 2020-12) of a cluster.yaml with tiers of
// these kinds, for editors. It refuses what Read refuses, except what depends on
// other values: an undefined name, an address that two hosts have.
func Schema(kinds ...volume.Kind) []byte {
	var words, tiers strings.Builder
	rules := []string{exactlyOne(kinds)}
	for _, k := range kinds {
		fmt.Fprintf(&words, ",\n        %q: %s", k.Word, strings.ReplaceAll(strings.TrimSpace(k.Schema), "\n", "\n        "))
		rules = append(rules, ruleOf(k))
	}
	fmt.Fprintf(&tiers, `"items": {"$ref": "#/$defs/KubeName"}}%s
      },
      "allOf": [
        %s
      ]
    }`, words.String(), strings.Join(rules, ",\n        "))
	return bytes.Replace(schema, tierEnds, []byte(tiers.String()), 1)
}

// exactlyOne requires a tier to have exactly one kind.
func exactlyOne(kinds []volume.Kind) string {
	var one []any
	for _, k := range kinds {
		one = append(one, needs(k.Word))
	}
	if len(one) == 0 {
		return "false"
	}
	return compact(map[string]any{"oneOf": one})
}

// ruleOf returns the rule for where a tier of the kind can be measured.
func ruleOf(k volume.Kind) string {
	hosts, nodes := anyOf(needs("host"), needs("hosts")), anyOf(needs("node"), needs("nodes"))
	none := map[string]any{"not": anyOf(hosts, nodes)}
	var ways []any
	if k.Where.Hosts {
		ways = append(ways, map[string]any{"allOf": []any{hosts, map[string]any{"not": nodes}}})
	}
	if k.Where.Pods {
		ways = append(ways, map[string]any{"allOf": []any{nodes, map[string]any{"not": hosts}}})
	}
	if k.Where.Here || k.Where.Pods && !k.Where.Node {
		ways = append(ways, none)
	}
	return compact(map[string]any{"if": needs(k.Word), "then": anyOf(ways...)})
}

func needs(key string) map[string]any { return map[string]any{"required": []string{key}} }

func anyOf(ways ...any) map[string]any { return map[string]any{"anyOf": ways} }

func compact(v any) string {
	text, err := json.Marshal(v)
	if err != nil {
		panic(err) // only words and lists of them
	}
	return string(text)
}

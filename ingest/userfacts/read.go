package userfacts

import (
	"errors"
	"fmt"
	"strings"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"
	"github.com/goccy/go-yaml/token"

	"assay"
)

// Read reads a file of facts: the words of Set, one a line,
//
//	pcie: gen3x4
//	zfs.sync: standard
//
// and under hosts the facts of single hosts, over the ones of all:
//
//	hosts:
//	  pve1: {nic: 10G}
//
// It gives them by host; the key "" is what every host has. name is for errors,
// which say file:line:column.
func Read(name string, text []byte) (map[string]assay.Facts, error) {
	file, err := parser.ParseBytes(text, 0)
	if err != nil {
		return nil, syntax(name, err)
	}
	all := map[string]assay.Facts{}
	for _, doc := range file.Docs {
		if doc.Body == nil || doc.Body.Type() == ast.NullType {
			continue
		}
		r := reader{name: name}
		if err := r.document(doc.Body, all); err != nil {
			return nil, err
		}
	}
	if len(all) == 0 {
		return nil, assay.WithHint("for example pcie: gen3x4", "%s: holds no facts", name)
	}
	return all, nil
}

type reader struct{ name string }

func (r reader) document(body ast.Node, all map[string]assay.Facts) error {
	return r.mapping(body, func(key string, value ast.Node) error {
		if key != "hosts" {
			f := all[""]
			err := r.fact(&f, key, value)
			all[""] = f
			return err
		}
		return r.mapping(value, func(host string, words ast.Node) error {
			f := all[host]
			err := r.mapping(words, func(key string, value ast.Node) error { return r.fact(&f, key, value) })
			f.Host = host
			all[host] = f
			return err
		})
	})
}

// mapping calls each with the pairs of a mapping in their order.
func (r reader) mapping(node ast.Node, each func(key string, value ast.Node) error) error {
	var pairs []*ast.MappingValueNode
	switch n := node.(type) {
	case *ast.MappingNode:
		pairs = n.Values
	case *ast.MappingValueNode:
		pairs = []*ast.MappingValueNode{n}
	default:
		return r.at(node, errors.New("expected NAME: VALUE"))
	}
	for _, p := range pairs {
		key, ok := scalar(p.Key)
		if !ok || key == "" {
			return r.at(p, errors.New("expected NAME: VALUE"))
		}
		if err := each(key, p.Value); err != nil {
			return err
		}
	}
	return nil
}

func (r reader) fact(f *assay.Facts, name string, value ast.Node) error {
	text, ok := scalar(value)
	if !ok {
		return r.at(value, fmt.Errorf("fact %.40s: expected one value", name))
	}
	if err := setOne(f, strings.ToLower(name), text); err != nil {
		return r.at(value, err)
	}
	settle(f)
	return nil
}

// scalar gives a value as it is written: 2.20 is no number here, and yes no
// string.
func scalar(node ast.Node) (string, bool) {
	switch node.(type) {
	case *ast.StringNode, *ast.IntegerNode, *ast.FloatNode, *ast.BoolNode:
		if t := node.GetToken(); t != nil {
			return t.Value, true
		}
	}
	return "", false
}

// at puts the place before an error and keeps its hint.
func (r reader) at(node ast.Node, err error) error {
	return located(r.name, node.GetToken(), err)
}

func located(name string, t *token.Token, err error) error {
	if t == nil || t.Position == nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return fmt.Errorf("%s:%d:%d: %w", name, t.Position.Line, t.Position.Column, err)
}

// syntax says in one line what the YAML parser says in many.
func syntax(name string, err error) error {
	var said yaml.Error
	if errors.As(err, &said) {
		return located(name, said.GetToken(), errors.New(said.GetMessage()))
	}
	return fmt.Errorf("%s: %w", name, err)
}

package all

import (
	"assay"
	"assay/place/local"
)

// Kind is a kind of place with the way to open one.
type Kind struct {
	Name string
	Open func(host, mark string) assay.Place
}

// Kinds is every kind of place.
var Kinds = []Kind{
	{Name: "local", Open: func(host, mark string) assay.Place { return local.New(host, mark) }},
}

// Decorators are the folders that hold no place of their own.
var Decorators = []string{"record", "replay"}

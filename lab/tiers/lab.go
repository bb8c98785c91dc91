package tiers

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"assay/lab/garage"
	"assay/lab/internal/home"
	"assay/lab/kube"
)

// Lab is a Kubernetes and a Garage on this machine.
type Lab struct {
	Dir    string // absolute; holds the two labs and cluster.yaml
	Kube   *kube.Lab
	Garage *garage.Lab
	state  state
}

// state is what the next Up needs.
type state struct {
	// Machine is the address that the Garage listens on: this machine's, on the
	// network of the Kubernetes. Another Kubernetes would have another network.
	Machine string `json:"machine"`
}

const (
	kubeDir     = "kube"
	garageDir   = "garage"
	clusterFile = "cluster.yaml"
)

func homeOf(dir string) home.Home {
	return home.Home{Dir: dir, State: "tiers.json", Files: []string{clusterFile}}
}

// Missing returns why this machine cannot have such a lab, or nil if it can.
func Missing() error { return errors.Join(kube.Missing(), garage.Missing()) }

// Cluster returns the path of the cluster.yaml.
func (l *Lab) Cluster() string { return filepath.Join(l.Dir, clusterFile) }

// Up brings both labs up in dir, which must be new, empty or a lab's, and writes
// cluster.yaml. If they are up already, it starts only what is not running. On
// an error nothing is left.
func Up(ctx context.Context, dir string) (*Lab, error) {
	if err := Missing(); err != nil {
		return nil, err
	}
	dir, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	h := homeOf(dir)
	leave, err := h.Enter()
	if err != nil {
		return nil, err
	}
	defer leave()
	l := &Lab{Dir: dir}
	if err := h.Read(&l.state); errors.Is(err, fs.ErrNotExist) {
		err = h.Write(l.state) // from now on the directory is a lab's
		if err != nil {
			return nil, err
		}
	} else if err != nil {
		return nil, err
	}
	if err := l.build(ctx); err != nil {
		undo, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Minute)
		defer cancel()
		return nil, errors.Join(err, l.clear(undo), os.Remove(dir))
	}
	return l, nil
}

func (l *Lab) build(ctx context.Context) error {
	var err error
	if l.Kube, err = kube.Up(ctx, filepath.Join(l.Dir, kubeDir), kube.Standard); err != nil {
		return err
	}
	at := filepath.Join(l.Dir, garageDir)
	if l.state.Machine != l.Kube.Machine() {
		if err := garage.Down(ctx, at); err != nil {
			return err
		}
		l.state.Machine = l.Kube.Machine()
		if err := homeOf(l.Dir).Write(l.state); err != nil {
			return err
		}
	}
	options := garage.Standard
	options.Host = l.Kube.Machine()
	if l.Garage, err = garage.Up(ctx, at, options); err != nil {
		return err
	}
	stick, err := l.Kube.AddDevice(ctx, stickNode, "usb", stickBytes, kube.Stick)
	if err != nil {
		return err
	}
	return os.WriteFile(l.Cluster(), []byte(l.describe(stick)), 0o600)
}

// Open returns the lab in dir, which Up made in this program or another. If there
// is none, the error wraps fs.ErrNotExist.
func Open(dir string) (*Lab, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	l := &Lab{Dir: dir}
	if err := homeOf(dir).Read(&l.state); err != nil {
		return nil, err
	}
	if l.Kube, err = kube.Open(filepath.Join(dir, kubeDir)); err != nil {
		return nil, fmt.Errorf("the lab is not whole: %w", err)
	}
	if l.Garage, err = garage.Open(filepath.Join(dir, garageDir)); err != nil {
		return nil, fmt.Errorf("the lab is not whole: %w", err)
	}
	return l, nil
}

// Down takes the lab down; see the function Down.
func (l *Lab) Down(ctx context.Context) error { return Down(ctx, l.Dir) }

// Down takes down both labs in dir, and removes dir if nothing else is in it. It
// is idempotent, and works whatever state they are in.
func Down(ctx context.Context, dir string) error {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return err
	}
	return homeOf(dir).Abandon(func() error { return (&Lab{Dir: dir}).clear(ctx) })
}

// clear removes everything but the directory.
func (l *Lab) clear(ctx context.Context) error {
	if err := errors.Join(garage.Down(ctx, filepath.Join(l.Dir, garageDir)), kube.Down(ctx, filepath.Join(l.Dir, kubeDir))); err != nil {
		return err
	}
	return homeOf(l.Dir).Clear()
}

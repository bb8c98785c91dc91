package guest

import (
	"os"
	"path/filepath"
	"runtime"

	"assay"
	"assay/lab/internal/command"
	"assay/lab/internal/home"
)

// Version is the version of the image that build.sh makes and the tests were
// made with.
const Version = "12.1"

// RootFile is the root file system's name in an Image directory.
const RootFile = "root.ext4"

// Image returns the directory that guests boot from: the one that the environment
// variable ASSAY_GUEST names, or the one that build.sh put into the user's cache.
// The error has a hint.
func Image() (string, error) {
	dir := os.Getenv("ASSAY_GUEST")
	if dir == "" {
		cache, err := home.Cache()
		if err != nil {
			return "", err
		}
		dir = filepath.Join(cache, "guest-"+Version)
	}
	// The root file system is the last file to be put there.
	if _, err := os.Stat(filepath.Join(dir, RootFile)); err != nil {
		return "", assay.WithHint("make lab-guest makes it, once, in some three minutes", "image %s of a guest: %w", Version, err)
	}
	return dir, nil
}

// Missing returns why this machine cannot run a guest, or nil if it can.
func Missing() error {
	if runtime.GOOS != "linux" || runtime.GOARCH != "amd64" {
		return assay.WithHint("use a Linux machine on amd64", "a guest's image is for Linux on amd64, and this is %s on %s", runtime.GOOS, runtime.GOARCH)
	}
	if err := command.Missing("a guest", []command.Needed{
		{Program: "qemu-system-x86_64", Package: "qemu-system-x86"},
		{Program: "ssh", Package: "openssh-client"}, {Program: "ssh-keygen", Package: "openssh-client"},
		{Program: "socat", Package: "socat"},
	}); err != nil {
		return err
	}
	_, err := Image()
	return err
}

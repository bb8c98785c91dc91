package wires

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"math/big"
	"net"
	"os"
	"strconv"
	"strings"

	"assay/lab/internal/command"
)

// FreeOctet returns an N for which 10.N.0.0/16 is unused on this machine.
func FreeOctet() (int, error) {
	taken := map[int]bool{}
	addresses, err := net.InterfaceAddrs()
	if err != nil {
		return 0, err
	}
	for _, a := range addresses {
		if ip, _, err := net.ParseCIDR(a.String()); err == nil && ip.To4() != nil && ip.To4()[0] == 10 {
			taken[int(ip.To4()[1])] = true
		}
	}
	for range 1000 {
		n, err := rand.Int(rand.Reader, big.NewInt(200))
		if err != nil {
			return 0, err
		}
		if octet := 50 + int(n.Int64()); !taken[octet] {
			return octet, nil
		}
	}
	return 0, fmt.Errorf("every network from 10.50.0.0 to 10.249.0.0 is in use")
}

// Link connects this machine to the network namespace of a process by a veth
// pair: near is this machine's end, and gets an address ("10.0.0.1/24"), far the
// other one. It returns the index of near, which stays unique to this link even
// if another lab takes the name later.
func Link(ctx context.Context, near, address string, pid int, far string) (index int, err error) {
	if err := IP(ctx, 0, fmt.Sprintf("link add name %s type veth peer name %s netns %d", near, far, pid)); err != nil {
		return 0, err
	}
	// No address but the one below; a kernel without IPv6 has no such file.
	err = os.WriteFile("/proc/sys/net/ipv6/conf/"+near+"/disable_ipv6", []byte("1\n"), 0)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return 0, err
	}
	if err := IP(ctx, 0, "address add "+address+" dev "+near, "link set "+near+" up"); err != nil {
		return 0, err
	}
	nic, err := net.InterfaceByName(near)
	if err != nil {
		return 0, err
	}
	return nic.Index, nil
}

// IP runs ip commands in the network namespace of process pid, or in this one
// if pid is 0.
func IP(ctx context.Context, pid int, lines ...string) error {
	return Batch(ctx, pid, lines, "ip", "-batch", "-")
}

// Batch feeds lines to a program that reads commands, in the network namespace of
// process pid, or in this one if pid is 0.
func Batch(ctx context.Context, pid int, lines []string, argv ...string) error {
	if len(lines) == 0 {
		return nil
	}
	if pid != 0 {
		argv = append([]string{"nsenter", "--net=/proc/" + strconv.Itoa(pid) + "/ns/net", "--"}, argv...)
	}
	_, err := command.Output(ctx, strings.Join(lines, "\n")+"\n", argv...)
	return err
}

package local

import (
	"bufio"
	"fmt"
	"net"
	"time"

	"assay"
)

// holdName is an abstract socket: it is no file, every user of the machine sees
// it, and it is gone with the process that listens on it.
const holdName = "@assay-run"

// Hold claims this machine for a run, against runs of other users and with other
// databases too. It gives assay.ErrBusy, with the words of the one that holds
// it, where another run does. release is idempotent.
func Hold(who string) (release func(), err error) { return hold(holdName, who) }

func hold(name, who string) (release func(), err error) {
	l, err := net.Listen("unix", name)
	if err != nil {
		return nil, fmt.Errorf("%w by %s", assay.ErrBusy, holder(name))
	}
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			_ = c.SetWriteDeadline(time.Now().Add(time.Second))
			_, _ = fmt.Fprintln(c, who)
			_ = c.Close()
		}
	}()
	return func() { _ = l.Close() }, nil
}

// holder asks the one who holds the machine for its name.
func holder(name string) string {
	c, err := net.DialTimeout("unix", name, time.Second)
	if err != nil {
		return "another run"
	}
	defer c.Close()
	_ = c.SetReadDeadline(time.Now().Add(time.Second))
	who, err := bufio.NewReader(c).ReadString('\n')
	if err != nil || len(who) < 2 {
		return "another run"
	}
	return who[:len(who)-1]
}

package hosts

import (
	"context"
	"fmt"
	"strings"

	"assay"
	"assay/internal/nearest"
)

// Fault is something that goes wrong on a host. Break causes it, Mend undoes
// it.
type Fault string

// The faults. ARG is a fault's argument.
const (
	Cut          Fault = "cut"           // no packets in or out
	PowerOff     Fault = "power-off"     // off in an instant; the disk stays
	NoSSH        Fault = "no-ssh"        // the SSH server and sessions are killed, but not what they started
	DropSessions Fault = "drop-sessions" // the SSH sessions are killed, but not the server; nothing to mend
	HostKey      Fault = "host-key"      // a host key that differs from known_hosts
	WrongKey     Fault = "wrong-key"     // the lab's key is not accepted
	AskSudo      Fault = "ask-sudo"      // sudo wants a password
	FullDisk     Fault = "full-disk"     // BenchDir is full
	ReadOnly     Fault = "read-only"     // BenchDir is mounted read-only
	Clock        Fault = "clock"         // the wall clock is ARG seconds off, such as +3600
	Firewall     Fault = "firewall"      // packets to TCP and UDP port ARG are dropped
	Shell        Fault = "shell"         // the user's login shell is ARG, such as /usr/bin/fish
	Banner       Fault = "banner"        // the user's login shell prints a banner, on both streams
	NoTool       Fault = "no-tool"       // program ARG is missing
	OldTool      Fault = "old-tool"      // program ARG claims to be version 0.1, and does nothing
	StaleServer  Fault = "stale-server"  // a leftover iperf3 server on port ARG
	Detour       Fault = "detour"        // all ring traffic goes the other way round
)

// script holds what a fault does inside a host, as root; $1 is its argument.
type script struct {
	fault        Fault
	says         string
	arg          string // what the argument is, "" for none
	breaks, mend string
	answers      bool // once mended, the SSH server answers again
}

// restart restarts the SSH server, but only once the old one is gone.
const restart = `
if read -r p </run/sshd.pid && kill "$p"; then
	while kill -0 "$p"; do sleep 0.02; done
fi 2>/dev/null
/usr/sbin/sshd -f /etc/ssh/lab_sshd_config
`

// sessions calls each for every process of the SSH server.
const sessions = `
for c in /proc/[0-9]*/comm; do
	read -r name <"$c" || continue
	p=${c#/proc/}
	case $name in sshd*) each "${p%/comm}" ;; esac
done 2>/dev/null
`

const setShell = `
shell() { sed -i "s|^\(lab:.*:\)[^:]*\$|\1$1|" /etc/passwd; }
`

const findTool = `
find_tool() {
	for d in /usr/local/sbin /usr/local/bin /usr/sbin /usr/bin; do
		if [ -e "$d/$1" ]; then at=$d/$1; return; fi
	done
	echo "no program $1" >&2
	return 1
}
`

const mendTool = findTool + `find_tool "$1.away"; mv -f "$at" "${at%.away}"`

var scripts = []script{
	{fault: Cut, says: "no packet gets in or out",
		breaks: `nft -f - <<-'EOF'
			table inet lab_cut {
				chain in { type filter hook prerouting priority -300; policy drop; iif lo accept; }
				chain out { type filter hook output priority -300; policy drop; oif lo accept; }
			}
		EOF`,
		mend: `nft delete table inet lab_cut`},
	{fault: NoSSH, says: "the SSH server and its sessions are killed", answers: true,
		breaks: `left=1; each() { kill -KILL "$1"; left=1; }
			while [ "$left" = 1 ]; do left=0` + sessions + `sleep 0.02; done`,
		mend: restart},
	{fault: DropSessions, says: "the SSH sessions are killed, the server is not",
		breaks: `read -r server </run/sshd.pid; each() { [ "$1" = "$server" ] || kill -KILL "$1"; }` + sessions},
	{fault: HostKey, says: "another host key than known_hosts has", answers: true,
		breaks: `cd /etc/ssh; [ -e lab_host_key.own ] || mv lab_host_key lab_host_key.own
			rm -f lab_host_key lab_host_key.pub
			ssh-keygen -q -t ed25519 -N '' -f lab_host_key` + restart,
		mend: `cd /etc/ssh; mv -f lab_host_key.own lab_host_key` + restart},
	{fault: WrongKey, says: "the lab's key opens nothing",
		breaks: `for d in /root /home/lab; do mv "$d/.ssh/authorized_keys" "$d/.ssh/away"; done`,
		mend:   `for d in /root /home/lab; do mv "$d/.ssh/away" "$d/.ssh/authorized_keys"; done`},
	{fault: AskSudo, says: "sudo wants a password",
		breaks: `sed -i.own 's/NOPASSWD: //' /etc/sudoers`,
		mend:   `mv /etc/sudoers.own /etc/sudoers`},
	{fault: FullDisk, says: "the disk is full to the last byte",
		breaks: `cd /srv/bench; free=$(df -P -k . | awk 'NR == 2 { print $4 }')
			fallocate -l "$((free * 1024))" .full || :
			cat /dev/zero >>.full || :`,
		mend: `rm /srv/bench/.full`},
	{fault: ReadOnly, says: "the disk is mounted read-only",
		breaks: `mount -o remount,ro /srv/bench`,
		mend:   `mount -o remount,rw /srv/bench`},
	{fault: Clock, says: "the wall clock is SECONDS off for what is run over SSH, also by sudo", arg: "SECONDS", answers: true,
		breaks: `lib=$(ls /usr/lib/*/faketime/libfaketime.so.1)
			case $1 in *[!0-9+-]* | '') echo "not a number of seconds: $1" >&2; exit 1 ;; esac
			printf 'LD_PRELOAD=%s\nFAKETIME=%+d\n' "$lib" "$1" >/etc/lab_clock
			sed -i.own "1i SetEnv $(tr '\n' ' ' </etc/lab_clock)" /etc/ssh/lab_sshd_config
			echo 'Defaults env_file=/etc/lab_clock' >/etc/sudoers.d/lab_clock
			chmod 440 /etc/sudoers.d/lab_clock` + restart,
		mend: `rm /etc/lab_clock /etc/sudoers.d/lab_clock; mv /etc/ssh/lab_sshd_config.own /etc/ssh/lab_sshd_config` + restart},
	{fault: Firewall, says: "packets to a port are dropped", arg: "PORT",
		breaks: `case $1 in *[!0-9]* | '') echo "not a port: $1" >&2; exit 1 ;; esac
			nft add table inet lab_firewall
			nft add chain inet lab_firewall in '{ type filter hook input priority 0; }'
			nft add rule inet lab_firewall in meta l4proto '{ tcp, udp }' th dport "$1" drop`,
		mend: `nft delete table inet lab_firewall`},
	{fault: Shell, says: "the user has another login shell", arg: "PATH",
		breaks: setShell + `case $1 in *[!a-zA-Z0-9/._-]*) exit 1 ;; esac; [ -x "$1" ] || { echo "no program $1" >&2; exit 1; }; shell "$1"`,
		mend:   setShell + `shell /bin/sh`},
	{fault: Banner, says: "the user's login shell prints a banner on both streams",
		breaks: setShell + `cat >/usr/local/bin/lab-banner <<-'EOF'
			#!/bin/sh
			echo '*** Welcome! All your keystrokes are belong to us. ***'
			echo '*** mail: you have none ***' >&2
			exec /bin/sh "$@"
		EOF
			chmod 755 /usr/local/bin/lab-banner; shell /usr/local/bin/lab-banner`,
		mend: setShell + `shell /bin/sh`},
	{fault: NoTool, says: "there is no program of that name", arg: "PROGRAM",
		breaks: findTool + `find_tool "$1"; mv "$at" "$at.away"`,
		mend:   mendTool},
	{fault: OldTool, says: "a program says that it is version 0.1, and does nothing", arg: "PROGRAM",
		breaks: findTool + `find_tool "$1"; mv "$at" "$at.away"
			printf '#!/bin/sh\necho "%s 0.1"\n' "$1" >"$at"; chmod 755 "$at"`,
		mend: mendTool},
	{fault: StaleServer, says: "an iperf3 server that nobody stopped has the port", arg: "PORT",
		breaks: `iperf3 --server --daemon --port "$1" --pidfile "/run/lab/iperf3-$1"
			until [ -s "/run/lab/iperf3-$1" ]; do sleep 0.02; done`,
		mend: `kill "$(tr -d '\0' <"/run/lab/iperf3-$1")"`},
	{fault: Detour, says: "on the ring, what goes to the next host goes the other way round",
		breaks: `ip route show dev eth2 | while read -r to rest; do
				case $rest in via* | *link*) ;; *) continue ;; esac
				via=$(ip route show dev eth3 scope link | awk '{ print $1; exit }')
				ip route replace "$to" via "$via" dev eth3 onlink src "$(ip -o -4 address show dev eth2 | awk '{ sub("/.*", "", $4); print $4 }')"
			done`},
}

// Faults returns all faults, each with what it does and the name of its
// argument, "" for none.
func Faults() (all []struct {
	Fault     Fault
	Says, Arg string
}) {
	for _, s := range append(scripts, script{fault: PowerOff, says: "it is gone in an instant; its disk stays"}) {
		all = append(all, struct {
			Fault     Fault
			Says, Arg string
		}{s.fault, s.says, s.arg})
	}
	return all
}

// Break causes a fault on a host. It returns once the fault is in place.
func (l *Lab) Break(ctx context.Context, host string, f Fault, arg ...string) error {
	if f == PowerOff {
		return l.powerOff(ctx, host)
	}
	s, err := find(f, arg)
	if err != nil {
		return err
	}
	if err := l.inside(ctx, host, s.breaks, arg); err != nil {
		return fmt.Errorf("%s: %s: %w", host, f, err)
	}
	if strings.Contains(s.breaks, restart) {
		return l.await(ctx, host)
	}
	return nil
}

// Mend undoes a fault, with the argument it was made with. It returns when the
// host is back to normal. A fault that cannot be undone ends by itself; mending
// PowerOff powers on every host that is off.
func (l *Lab) Mend(ctx context.Context, host string, f Fault, arg ...string) error {
	switch f {
	case PowerOff:
		return l.powerOn(ctx)
	case Detour:
		return l.routeRing(ctx)
	}
	s, err := find(f, arg)
	if err != nil || s.mend == "" {
		return err
	}
	if err := l.inside(ctx, host, s.mend, arg); err != nil {
		return fmt.Errorf("%s: mend %s: %w", host, f, err)
	}
	if s.answers {
		return l.await(ctx, host)
	}
	return nil
}

func (l *Lab) inside(ctx context.Context, host, text string, arg []string) error {
	_, err := l.Feed(ctx, host, text, append([]string{"sh", "-eus", "--"}, arg...)...)
	return err
}

// find returns the script of a fault, or an error if the number of arguments is
// wrong.
func find(f Fault, arg []string) (script, error) {
	names := []string{string(PowerOff)}
	for _, s := range scripts {
		names = append(names, string(s.fault))
		if s.fault != f {
			continue
		}
		if want := len(strings.Fields(s.arg)); len(arg) != want {
			return s, fmt.Errorf("%s takes %d argument: %s", f, want, s.arg)
		}
		return s, nil
	}
	return script{}, assay.WithHint(nearest.Hint(string(f), names), "no fault is called %q", f)
}

# linstor NAME ARBITER: makes a host one of a stand-in for three that have the controller of LINSTOR
# between them: host1 and host2 have the data and drbd-reactor, host3 only votes. What it is told by
# systemctl and drbd-reactorctl is done; the controller is REST that answers one question, two seconds
# after its host has become Primary.
set -eu
name=$1 arbiter=$2
target=drbd-services@linstor_db.target
cat >/run/drbd.pl <<'END'
# drbd: who is Primary.
use Socket;
my $primary = '-';
socket(my $s, PF_INET, SOCK_DGRAM, 0) or die $!;
bind($s, sockaddr_in(7781, INADDR_ANY)) or die $!;
for (;;) {
	my $from = recv $s, my $asked, 64, 0;
	my ($word, $which) = split ' ', $asked;
	$primary = $which if $word eq 'promote' && $primary eq '-';
	$primary = '-' if $word eq 'demote' && $primary eq $which;
	send $s, $primary, 0, $from;
}
END
cat >/run/reactor.pl <<'END'
# reactor NAME ARBITER TARGET: has the controller run where it may.
use Socket;
use Time::HiRes qw(time sleep);
my ($name, $arbiter, $target) = @ARGV;
socket(my $way, PF_INET, SOCK_DGRAM, 0) or die $!;
connect($way, sockaddr_in(7781, inet_aton($arbiter))) or die $!;
sub drbd {
	send $way, "@_", 0;
	recv $way, my $primary, 64, 0;
	return $primary;
}
sub note {
	open my $f, '>', "/run/$_[0]";
	printf $f "%.6f\n", time;
}
sub controller {
	socket(my $s, PF_INET, SOCK_STREAM, 0);
	setsockopt $s, SOL_SOCKET, SO_REUSEADDR, 1;
	bind($s, sockaddr_in(3370, INADDR_ANY)) && listen($s, 64) or die $!;
	note('up');
	for (;;) {
		accept(my $c, $s) or next;
		sysread $c, my $asked, 4096;
		my $is = $asked =~ m{^GET /v1/controller/version } ? '200 OK' : '404 Not Found';
		syswrite $c, "HTTP/1.0 $is\r\n\r\n{\"version\":\"1.31.0\",\"rest_api_version\":\"1.25.0\"}\n";
	}
}
my $pid;
for (;; sleep .02) {
	if ($pid && -e '/run/stop') {
		kill KILL => $pid;
		waitpid $pid, 0;
		note('down');
		undef $pid;
		drbd('demote', $name);
		unlink '/run/active', '/run/stop';
	}
	next if $pid || -l "/run/systemd/system/$target" || drbd('promote', $name) ne $name;
	sleep 2;
	open my $f, '>', '/run/active';
	$pid = fork // die $!;
	controller() unless $pid;
}
END
begin() { setsid perl "$@" </dev/null >/dev/null 2>&1 & }
if [ "$name" = host3 ]; then
	begin /run/drbd.pl
	exit
fi
cat >/usr/local/bin/systemctl <<END
#!/bin/sh
case "\$*" in
'mask --runtime $target') mkdir -p /run/systemd/system && ln -s /dev/null /run/systemd/system/$target ;;
'stop $target')
	[ -e /run/active ] || exit 0
	: >/run/stop
	while [ -e /run/active ]; do sleep 0.02; done
	;;
'start $target') [ "\$(perl /run/ask.pl $arbiter 7781 who)" = $name ] || exit 1 ;;
daemon-reload | 'is-active -q drbd-reactor') ;;
*) exit 1 ;;
esac
END
cat >/usr/local/bin/drbdsetup <<END
#!/bin/sh
[ "\$*" = 'status linstor_db' ] || exit 10
primary=\$(perl /run/ask.pl $arbiter 7781 who)
role() { [ "\$1" = "\$primary" ] && echo role:Primary || echo role:Secondary; }
for peer in host1 host2; do [ \$peer = $name ] || other=\$peer; done
cat <<STATUS
linstor_db \$(role $name)
  disk:UpToDate open:no
  \$other \$(role \$other)
    peer-disk:UpToDate
  host3 \$(role host3)
    peer-disk:Diskless

STATUS
END
cat >/usr/local/bin/drbd-reactorctl <<END
#!/bin/sh
[ "\$*" = 'evict linstor_db' ] || exit 1
[ "\$(perl /run/ask.pl $arbiter 7781 who)" = $name ] || exit 0
systemctl mask --runtime $target
systemctl stop $target
while :; do
	case \$(perl /run/ask.pl $arbiter 7781 who) in
	- | $name) sleep 0.1 ;;
	*) break ;;
	esac
done
rm /run/systemd/system/$target
END
chmod 755 /usr/local/bin/systemctl /usr/local/bin/drbdsetup /usr/local/bin/drbd-reactorctl
begin /run/reactor.pl "$name" "$arbiter" "$target"

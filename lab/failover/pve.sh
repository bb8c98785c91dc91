# pve NAME CRM NODE1 NODE2: makes a host one of a stand-in for three nodes of Proxmox VE that have a
# guest between them, the address of /run/vip. Two run it by turns, host3 decides; a node that is not
# heard of for three seconds has lost it. The second is where the first one's power is switched. Its
# words are those of ha-manager and ipmitool; that is all it has of them.
set -eu
name=$1 crm=$2 node1=$3 node2=$4
cat >/run/node.pl <<'END'
# node NAME CRM: is heard of while it has power, and runs the guest where it is told to.
use Socket;
use Time::HiRes qw(time);
my ($name, $crm) = @ARGV;
socket(my $s, PF_INET, SOCK_DGRAM, 0) or die $!;
bind($s, sockaddr_in(7780, INADDR_ANY)) or die $!;
sub guest {
	my ($word, $file) = @_;
	system 'sh', '/run/vip', $word;
	open my $f, '>', $file;
	printf $f "%.6f\n", time;
}
my ($power, $next) = ('on', 0);
for (;;) {
	if ($power eq 'on' && time >= $next) {
		send $s, "beat $name", 0, sockaddr_in(7779, inet_aton($crm));
		$next = time + .1;
	}
	my $ready = '';
	vec($ready, fileno $s, 1) = 1;
	next if select($ready, undef, undef, .05) < 1;
	my $from = recv $s, my $word, 64, 0;
	guest('up', '/run/up') if $word eq 'start' && $power eq 'on';
	guest('down', '/run/left') if $word eq 'stop';
	guest('down', '/run/down') if $word eq 'off' && $power eq 'on';
	$power = $word if $word =~ /^o/;
	send $s, $power, 0, $from if $word =~ /^(o|power)/;
}
END
cat >/run/crm.pl <<'END'
# crm NODE1 NODE2: has the guest run on one of them.
use Socket;
use Time::HiRes qw(time);
my %at = (host1 => $ARGV[0], host2 => $ARGV[1]);
my %seen = map { $_ => time } keys %at;
my ($node, $state, $to, $then) = ('host1', 'started');
socket(my $s, PF_INET, SOCK_DGRAM, 0) or die $!;
bind($s, sockaddr_in(7779, INADDR_ANY)) or die $!;
sub order { send $s, $_[1], 0, sockaddr_in(7780, inet_aton($at{$_[0]})) }
for (;;) {
	my $ready = '';
	vec($ready, fileno $s, 1) = 1;
	if (select($ready, undef, undef, .01) > 0) {
		my $from = recv $s, my $asked, 64, 0;
		my ($word, $which) = split ' ', $asked;
		if ($word eq 'beat') {
			$seen{$which} = time;
		} elsif ($word eq 'migrate' && $state eq 'started' && $node ne $which) {
			($state, $to, $then) = ('migrate', $which, time + .3);
			order($node, 'stop');
			send $s, "requesting HA migration for vm:101 to node $which\n", 0, $from;
		} else {
			my $now = localtime;
			my $says = "quorum OK\nmaster host3 (active, $now)\n";
			for my $n (sort keys %at) {
				my $is = time - $seen{$n} > .5 ? 'old timestamp - dead?' : $n eq $node ? 'active' : 'idle';
				$says .= "lrm $n ($is, $now)\n";
			}
			send $s, "${says}lrm host3 (idle, $now)\nservice vm:101 ($node, $state)\n", 0, $from;
		}
	}
	if ($state eq 'started' && time - $seen{$node} > 1) {
		($state, $then) = ('fence', $seen{$node} + 3);
		($to) = grep { $_ ne $node } keys %at;
	}
	if ($state ne 'started' && time >= $then) {
		order($to, 'start');
		($node, $state) = ($to, 'started');
	}
}
END
begin() { setsid perl "$@" </dev/null >/dev/null 2>&1 & }
case $name in
host3)
	begin /run/crm.pl "$node1" "$node2"
	cat >/usr/local/bin/ha-manager <<'END'
#!/bin/sh
case "$1 $2" in
'status ') exec perl /run/ask.pl 127.0.0.1 7779 status ;;
'migrate vm:101') exec perl /run/ask.pl 127.0.0.1 7779 migrate "$3" ;;
esac
echo "ERROR: unknown command 'ha-manager $*'" >&2
exit 255
END
	chmod 755 /usr/local/bin/ha-manager
	;;
*)
	begin /run/node.pl "$name" "$crm"
	cat >/usr/local/bin/ipmitool <<END
#!/bin/sh
[ "\$1 \$2 \$3 \$4" = '-I lanplus -H bmc1' ] || exit 1
while [ "\$1" != power ]; do shift; done
case \$2 in
status) echo "Chassis Power is \$(perl /run/ask.pl $node1 7780 power)" ;;
on | off) perl /run/ask.pl $node1 7780 "\$2" >/dev/null && echo "Chassis Power Control: \$2" ;;
esac
END
	chmod 755 /usr/local/bin/ipmitool
	;;
esac

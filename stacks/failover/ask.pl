# ask ADDRESS PORT PATH STATUS INTERVAL PATIENCE: asks for an answer every INTERVAL seconds, and
# says of each request when it was sent, how long it took, and "ok" or why not. Without a PORT it
# pings; with one it connects; with a PATH it asks for that by HTTP, and only STATUS is ok. None
# waits for another: one that hangs delays none, and after PATIENCE seconds it is lost. Of an
# address of IPv4 on a network of its own it also says, when that changes, which MAC address
# the ARP table has for it; "-" is none.
use strict;
use Errno qw(ECONNREFUSED);
use Fcntl qw(F_GETFL F_SETFL O_NONBLOCK);
use Socket qw(getaddrinfo inet_ntoa unpack_sockaddr_in AF_INET6 SOCK_RAW SOCK_STREAM SOL_SOCKET SO_ERROR);
use Time::HiRes qw(time);
my ($address, $port, $path, $status, $interval, $patience) = @ARGV;
my ($why, @found) = getaddrinfo($address, $port || undef, {socktype => SOCK_STREAM});
die "$address: $why\n" if $why || !@found;
my $to = $found[0];
my $six = $to->{family} == AF_INET6;
my $numeric = $six ? '' : inet_ntoa((unpack_sockaddr_in $to->{addr})[1]);
my $name = $address =~ /:/ ? "[$address]" : $address;
$name .= ":$port" if $port && $port != 80;
$| = 1;
my $end = 0;
$SIG{INT} = $SIG{TERM} = sub { $end = 1 };
$SIG{PIPE} = 'IGNORE';
my %open; # requests without an answer, by what tells them apart

sub over {
	my ($c, $word) = @_;
	delete $open{$c->{key}};
	close $c->{socket} if $c->{socket};
	printf "%.6f %.6f %s\n", $c->{at}, time - $c->{at}, $word;
}

# Pings: one socket for all, and numbers that tell them apart.
my ($pings, $number) = (undef, 0);
if (!$port) {
	socket $pings, $to->{family}, SOCK_RAW, $six ? 58 : 1 or die "ping $address: $!\n";
	fcntl $pings, F_SETFL, fcntl($pings, F_GETFL, 0) | O_NONBLOCK;
}

sub ping {
	$number = ($number + 1) & 0xffff;
	my $id = $$ & 0xffff;
	my $packet = pack 'CCnnn', $six ? 128 : 8, 0, 0, $id, $number; # RFC 792, RFC 4443
	if (!$six) {
		my $sum = unpack '%32n*', $packet;
		$sum = ($sum >> 16) + ($sum & 0xffff);
		substr $packet, 2, 2, pack('n', ~($sum + ($sum >> 16)) & 0xffff);
	}
	my $c = $open{$number} = {key => $number, at => time};
	over($c, 'unreachable') unless defined send $pings, $packet, 0, $to->{addr};
}

sub pinged {
	while (defined recv $pings, my $packet, 4096, 0) {
		$packet = substr $packet, 4 * (ord($packet) & 15) unless $six; # the IP header
		next if length $packet < 8;
		my ($type, $code, $sum, $id, $n) = unpack 'CCnnn', $packet;
		next if $type != ($six ? 129 : 0) || $id != ($$ & 0xffff);
		over($open{$n}, 'ok') if $open{$n};
	}
}

# Connections: a socket each.
sub dial {
	socket my $s, $to->{family}, $to->{socktype}, $to->{protocol} or return;
	fcntl $s, F_SETFL, fcntl($s, F_GETFL, 0) | O_NONBLOCK;
	my $c = $open{fileno $s} = {key => fileno $s, socket => $s, at => time};
	if (connect $s, $to->{addr}) { connected($c) }
	elsif (!$!{EINPROGRESS}) { over($c, 'unreachable') }
}

sub connected {
	my $c = shift;
	my $code = unpack 'i', getsockopt($c->{socket}, SOL_SOCKET, SO_ERROR);
	return over($c, $code == ECONNREFUSED ? 'refused' : 'unreachable') if $code;
	return over($c, 'ok') if $path eq '';
	$c->{read} = '';
	syswrite $c->{socket}, "GET $path HTTP/1.0\r\nHost: $name\r\nConnection: close\r\n\r\n" or over($c, 'closed');
}

sub heard {
	my $c = shift;
	my $n = sysread $c->{socket}, $c->{read}, 4096, length $c->{read};
	return if !defined $n && ($!{EAGAIN} || $!{EINTR});
	return over($c, $1 == $status ? 'ok' : "status-$1") if $c->{read} =~ m{^HTTP/\d\.\d (\d{3})\b};
	over($c, 'closed') if !$n || length $c->{read} > 16;
}

# What the kernel knows of the neighbour that has the address, looked up now and then.
my ($looked, $neighbour) = (0, '');

sub neighbour {
	return if $looked++ % 5 || $six || !open my $table, '<', '/proc/net/arp';
	my $mac = '';
	while (<$table>) {
		my ($ip, $type, $flags, $at) = split;
		next if $ip ne $numeric;
		$mac = hex $flags & 2 ? $at : $mac || '-'; # ATF_COM: the entry is complete
		last if $mac ne '-';
	}
	$mac ||= '-' if $neighbour; # the entry is gone
	return if $mac eq $neighbour || $mac eq '-' && !$neighbour;
	$neighbour = $mac;
	printf "%.6f neighbour %s\n", time, $mac;
}

my $next = time;
until ($end) {
	if (time >= $next) {
		$next += $interval;
		$next = time if time > $next + 1; # the machine slept
		$pings ? ping() : dial();
		neighbour();
	}
	my ($reads, $writes) = ('', '');
	if ($pings) { vec($reads, fileno $pings, 1) = 1 }
	else {
		for (values %open) {
			if (defined $_->{read}) { vec($reads, $_->{key}, 1) = 1 }
			else { vec($writes, $_->{key}, 1) = 1 }
		}
	}
	my $wait = $next - time;
	if (select($reads, $writes, undef, $wait > 0 ? $wait : 0) > 0) {
		if ($pings) { pinged() }
		else {
			for (keys %open) {
				my $c = $open{$_} or next;
				if (!defined $c->{read}) { connected($c) if vec $writes, $_, 1 }
				elsif (vec $reads, $_, 1) { heard($c) }
			}
		}
	}
	for (values %open) { over($_, 'lost') if time - $_->{at} > $patience }
}

# observe ADDRESS INTERVAL: asks what runs inside a guest every INTERVAL seconds by UDP, and over
# one TCP connection that stays open and is opened anew when it breaks. While there is no answer
# it asks less often, by a hundredth of that time and ten times INTERVAL at most: a guest that
# comes back is not to be drowned. On stdin are the ports of both and the key. Says when each is
# answered first, the times without an answer that are more than jitter, now and then what the
# guest's clock showed when its answer came, and a dot where it has said nothing for a second: it
# ends when nobody reads that any more. On SIGINT it says of each how often it asked and was
# answered, and what the guest has to tell.
use strict;
use Errno ();
use Fcntl qw(F_GETFL F_SETFL O_NONBLOCK);
use Socket qw(getaddrinfo IPPROTO_TCP SOCK_DGRAM SOCK_STREAM SOL_SOCKET SO_ERROR TCP_NODELAY);
use Time::HiRes qw(clock_gettime time CLOCK_MONOTONIC);
my ($address, $interval) = @ARGV;
my ($port, $stream, $key) = split ' ', scalar <STDIN>;
my $telling = 10 * $interval; # a time without an answer that is told
$| = 1;
$SIG{PIPE} = 'IGNORE';

# now does not jump when the clock is set.
my $ahead = time - clock_gettime(CLOCK_MONOTONIC);
sub now { return $ahead + clock_gettime(CLOCK_MONOTONIC) }

# told prints, and ends this where nobody reads it any more.
my $spoke = now();
sub told {
	$spoke = now();
	print @_ or exit;
}

my $end = 0; # when it was told to end
$SIG{INT} = $SIG{TERM} = sub { $end ||= now() };

sub resolved {
	my ($port, $type) = @_;
	my ($why, @found) = getaddrinfo($address, $port, {socktype => $type});
	die "$address: $why\n" if $why || !@found;
	return $found[0];
}

sub opened {
	my ($to) = @_;
	socket my $s, $to->{family}, $to->{socktype}, $to->{protocol} or die "socket: $!\n";
	fcntl $s, F_SETFL, fcntl($s, F_GETFL, 0) | O_NONBLOCK;
	return $s;
}

# What was asked by each way, and answered.
my %seen = map { $_ => {asked => 0, answered => 0, last => 0, longest => 0, gaps => {}} } qw(udp tcp);

sub answered {
	my ($by, $t, $n) = @_;
	my $s = $seen{$by};
	if ($s->{answered}) {
		my $gap = $t - $s->{last};
		told(sprintf "%s gap %.6f %.6f\n", $by, $s->{last}, $t) if $gap >= $telling;
		$s->{gaps}{int($gap * 1e4 + .5)} += 1 if $gap > 0;
		$s->{longest} = $gap if $gap > $s->{longest};
	}
	else { told("$by answers\n") }
	$s->{answered} += $n;
	$s->{last} = $t;
}

# usual is the median time between two answers, to 100 us.
sub usual {
	my ($gaps) = @_;
	my $all = 0;
	$all += $_ for values %$gaps;
	my $n = 0;
	for (sort { $a <=> $b } keys %$gaps) { return $_ / 1e4 if ($n += $gaps->{$_}) * 2 >= $all }
	return 0;
}

my $to = resolved($port, SOCK_DGRAM);
my $udp = opened($to);
connect $udp, $to->{addr} or die "$address: $!\n";
my $number = 0;
my %sent; # questions by UDP without an answer
my ($quickest, $clock, $showed) = (1e9, '', 0);

sub ask {
	$number = ($number + 1) & 0x7fffffff;
	$sent{$number} = now();
	$seen{udp}{asked}++;
	send $udp, pack('a16Na8', $key, $number, ''), 0;
}

sub hear {
	while (defined recv $udp, my $answer, 64, 0) {
		my ($is, $n, $theirs) = unpack 'a16Nd>', $answer;
		next if length $answer != 28 || $is ne $key || !$sent{$n};
		my $t = now();
		my $took = $t - delete $sent{$n};
		my $gone = $t - $seen{udp}{last};
		answered('udp', $t, 1);
		if ($gone >= $telling || $t - $showed >= .1) { # what was quickest says most of the clock
			told($clock);
			($quickest, $showed) = (1e9, $t);
		}
		if ($took < $quickest) {
			$quickest = $took;
			$clock = sprintf "clock %.6f %.6f %.6f\n", $t, $theirs, $took;
		}
	}
}

my $line = resolved($stream, SOCK_STREAM);
my ($tcp, $state, $since, $waiting, $read) = (undef, 'closed', 0, 0, '');

sub dial {
	($tcp, $state, $since, $waiting, $read) = (opened($line), 'opening', now(), 0, '');
	setsockopt $tcp, IPPROTO_TCP, TCP_NODELAY, pack('i', 1);
	broke('unreachable') unless connect($tcp, $line->{addr}) || $!{EINPROGRESS};
}

sub broke {
	my ($why) = @_;
	told(sprintf "tcp broke %.6f %s %d\n", now(), $why, $waiting) if $state eq 'open';
	($tcp, $state, $since, $waiting) = (undef, 'closed', now(), 0);
}

sub connected {
	my $code = unpack 'i', getsockopt($tcp, SOL_SOCKET, SO_ERROR);
	return broke($code) if $code;
	syswrite($tcp, $key) == 16 or return broke('closed');
	$state = 'open';
}

sub say_on {
	$seen{tcp}{asked}++;
	my $n = syswrite $tcp, pack('N', $seen{tcp}{asked} & 0x7fffffff);
	if (defined $n) { $n == 4 ? $waiting++ : broke('closed') }
	elsif ($!{EAGAIN}) { $seen{tcp}{asked}-- } # as much waits to be sent as may
	else { broke($!{ECONNRESET} || $!{EPIPE} ? 'reset' : $!{ETIMEDOUT} ? 'timeout' : 'closed') }
}

sub heard {
	my $n = sysread $tcp, $read, 65536, length $read;
	return if !defined $n && ($!{EAGAIN} || $!{EINTR});
	return broke(defined $n ? 'closed' : $!{ETIMEDOUT} ? 'timeout' : 'reset') unless $n;
	my $whole = int(length($read) / 4) or return;
	substr $read, 0, 4 * $whole, '';
	$waiting -= $whole;
	answered('tcp', now(), $whole);
}

# silent reports whether one of both is without an answer. TCP may be for longer than the guest is
# gone: until it sends again.
sub silent {
	return grep { $_->{answered} && now() - $_->{last} >= $telling } values %seen;
}

my ($next, $before, $paused) = (now(), now(), 0);
until ($end && (!silent() || now() - $end > 20)) {
	my $t = now();
	told(".\n") if $t - $spoke >= 1;
	if ($t >= $next) {
		$paused = $t - $before if $t - $before > $paused;
		$before = $t;
		my $gone = ($t - $seen{udp}{last}) / 100;
		$next += $gone > 10 * $interval ? 10 * $interval : $gone > $interval ? $gone : $interval;
		$next = $t if $t > $next; # what was not asked in time is not asked later
		ask();
		if ($state eq 'open') { say_on() }
		elsif ($state eq 'opening') { broke('timeout') if $t - $since > 5 }
		elsif ($t - $since >= .1) { dial() }
	}
	my ($reads, $writes) = ('', '');
	vec($reads, fileno $udp, 1) = 1;
	vec($reads, fileno $tcp, 1) = 1 if $state eq 'open';
	vec($writes, fileno $tcp, 1) = 1 if $state eq 'opening';
	my $wait = $next - now();
	if (select($reads, $writes, undef, $wait > 0 ? $wait : 0) > 0) {
		hear() if vec $reads, fileno $udp, 1;
		if ($state eq 'opening') { connected() if vec $writes, fileno $tcp, 1 }
		elsif ($state eq 'open') { heard() if vec $reads, fileno $tcp, 1 }
	}
}

# What is under way may still arrive.
for (my $last = now() + .5; (%sent || $waiting) && now() < $last;) {
	my $reads = '';
	vec($reads, fileno $udp, 1) = 1;
	vec($reads, fileno $tcp, 1) = 1 if $state eq 'open';
	next if select($reads, undef, undef, .1) <= 0;
	hear() if vec $reads, fileno $udp, 1;
	heard() if $state eq 'open' && vec $reads, fileno $tcp, 1;
}
print $clock;
for my $by (qw(udp tcp)) {
	my $s = $seen{$by};
	printf "%s silent %.6f %.6f\n", $by, $s->{last}, now() if $s->{answered} && now() - $s->{last} > 1;
	printf "%s asked %d %d %.6f %.6f\n", $by, $s->{asked}, $s->{answered}, usual($s->{gaps}), $s->{longest};
}
printf "paused %.6f\n", $paused;

# A connection of its own for what the guest has to tell: the other may hang.
exit unless $seen{udp}{answered} + $seen{tcp}{answered};
socket my $door, $line->{family}, $line->{socktype}, $line->{protocol} or exit;
$SIG{ALRM} = sub { exit };
alarm 20;
connect $door, $line->{addr} or exit;
syswrite $door, "$key\xff\xff\xff\xff";
while (<$door>) { print "inside $_" }

# load COMMAND INTERVAL: has sh run a command that prints a line for each thing it has done, and says
# every INTERVAL seconds what time it is and how many lines there were since. A command that ends is
# begun again: at once where it has done something, else at the next look.
my ($command, $interval) = @ARGV;
my ($lines, $done, $from) = (0, 0);
my $next = time + $interval;
for (;;) {
	if (!$running && ($done || time >= $next)) {
		pipe $from, my $to or die "pipe: $!\n";
		$running = begin($command, $to);
		$done = 0;
	}
	if (time >= $next) {
		printf "%.6f %d\n", time, $lines;
		$lines = 0;
		$next += $interval;
		$next = time + $interval if $next < time; # the machine slept
	}
	my $wait = $next - time;
	$wait = 0 if $wait < 0;
	if (!$running) {
		sleep $wait;
		next;
	}
	my $ready = '';
	vec($ready, fileno $from, 1) = 1;
	next if select($ready, undef, undef, $wait) < 1;
	if (my $n = sysread $from, my $piece, 65536) {
		my $more = $piece =~ tr/\n//;
		$lines += $more;
		$done += $more;
	} elsif (defined $n) {
		close $from;
		my $ended = $running;
		over();
		waitpid $ended, 0;
	}
}

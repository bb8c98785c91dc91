# What try and load have in common: a command of sh runs in a process group of its own, which is
# killed when this ends, whatever ends it.
use strict;
use POSIX ();
use Time::HiRes qw(alarm sleep time);
$| = 1;

# A keeper reads which process group runs, or 0, until nobody is left to tell it.
pipe my $told, my $tell or die "pipe: $!\n";
my $keeper = fork;
die "fork: $!\n" unless defined $keeper;
if (!$keeper) {
	setpgrp 0, 0; # what ends this group is not to end the keeper first
	close $_ for $tell, *STDIN, *STDOUT, *STDERR;
	my $group = 0;
	$group = $_ + 0 while <$told>;
	kill '-KILL', $group if $group;
	POSIX::_exit(0);
}
close $told;

sub begin {
	my ($command, $output) = @_;
	my $pid = fork;
	die "fork: $!\n" unless defined $pid;
	return $pid if $pid;
	setpgrp 0, 0;
	syswrite $tell, "$$\n"; # before it can outlive anything
	open STDIN, '<', '/dev/null';
	$output ? open STDOUT, '>&', $output : open STDOUT, '>', '/dev/null';
	open STDERR, '>', '/dev/null';
	exec 'sh', '-c', $command;
	POSIX::_exit(127);
}

my $running = 0; # the process group
sub stop { kill '-KILL', $running if $running }
sub over {
	stop(); # what it left behind
	$running = 0;
	syswrite $tell, "0\n";
}
$SIG{INT} = $SIG{TERM} = sub { stop(); exit };

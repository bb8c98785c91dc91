package main

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"assay"
	"assay/incident"
	"assay/incident/alike"
	"assay/incident/blame"
	"assay/incident/decide"
	"assay/incident/read"
	"assay/report/incidentview"
	"assay/run/session"
)

func (a *app) diagnoseCommand() *cobra.Command {
	var file string
	var since time.Duration
	var measure bool
	var by reach
	cmd := &cobra.Command{
		Use:   "diagnose [FILE… | -i CLUSTER.yaml [HOST|GROUP]…]",
		Short: "Say which layer broke, from logs or on hosts",
		Long: "diagnose says which layer is to blame for what broke, with the lines that show it,\n" +
			"what clears the others, and the command to run next. It only reads.\n\n" +
			"diagnose FILE… reads kernel logs (dmesg, journalctl in any format, syslog), smartctl,\n" +
			"nvme smart-log, lsblk, lsscsi, zpool status, ceph health detail, and logs of DRBD,\n" +
			"Longhorn and Kubernetes, mixed and pasted as they come. - is standard input.\n\n" +
			"diagnose without a file reads this machine's own records: the kernel's log across\n" +
			"boots, block devices, SMART, PCIe, memory, network ports, md, ZFS, LVM, DRBD, iSCSI,\n" +
			"Ceph, Kubernetes, reboots and upgrades. With -i it asks the hosts of a cluster.yaml\n" +
			"over SSH, all at once, and aligns their clocks. Run as root, it sees more. Where the\n" +
			"file has kubernetes:, the cluster is asked for pods that fail, their restarts, exits,\n" +
			"last lines and volumes, and for warnings; no host is needed for that.\n\n" +
			"--measure then makes the few reads that would decide, and says in advance what they\n" +
			"would show and cost: what was logged as unreadable once more (direct I/O), a device\n" +
			"and what it stands on, SMART counters before and after, and the path that an iSCSI,\n" +
			"NVMe/TCP or DRBD session uses. It writes nothing; a device that sleeps wakes up.\n\n" +
			"If the database has a run of these hosts from before the trouble, it also says what\n" +
			"has changed since: facts then and now, and figures that got worse.",
		Example: "  assay diagnose\n  assay diagnose -i cluster.yaml --since 24h\n  assay diagnose dmesg.txt smart.txt -o incident.html\n  journalctl -k -b all | assay diagnose -",
		Args:    cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			hosts := cmd.Flags().Changed("inventory")
			switch err := by.check(); {
			case err != nil:
				return err
			case since <= 0:
				return usage(assay.WithHint("for example --since 24h", "--since must be positive"))
			case hosts:
				return a.diagnoseHosts(cmd.Context(), file, args, since, measure, by.Recordings)
			case by.Record != "" || by.Replay != "":
				return usage(assay.WithHint("assay diagnose -i cluster.yaml", "--record and --replay need -i"))
			case measure && (by.Record != "" || by.Replay != ""):
				return usage(errors.New("--measure takes no --record or --replay"))
			case measure && !hosts && len(args) > 0:
				return usage(assay.WithHint("run assay diagnose --measure on the machine itself, or with -i", "--measure takes no files: they don't say which machine to read"))
			case len(args) > 0:
				return a.diagnoseFiles(cmd.Context(), args)
			}
			p, err := a.pastOf(cmd.Context(), []string{session.Here()}, func(ctx context.Context) ([]assay.Facts, error) {
				f, err := session.AskHere(ctx)
				return []assay.Facts{f}, err
			})
			if err != nil {
				return err
			}
			g, err := session.GatherHere(cmd.Context(), since)
			if err != nil {
				return err
			}
			var reads measurer
			if measure {
				reads = session.MeasureHere
			}
			return a.diagnoseGathered(cmd.Context(), g, p, reads)
		},
	}
	cmd.Flags().StringVarP(&file, "inventory", "i", "", "cluster.yaml with the hosts to ask")
	cmd.Flags().DurationVar(&since, "since", 7*24*time.Hour, "how far to look back in the logs of hosts")
	cmd.Flags().BoolVar(&measure, "measure", false, "make the few reads that would decide; nothing is written")
	by.flags(cmd)
	return cmd
}

// measurer performs reads where they belong; nil performs none.
type measurer func(context.Context, []decide.Read) ([]decide.Measured, error)

// diagnoseHosts queries hosts of a cluster and judges their answers.
func (a *app) diagnoseHosts(ctx context.Context, file string, names []string, since time.Duration, measure bool, by session.Recordings) error {
	c, err := session.ReadCluster(file)
	if err != nil {
		return err
	}
	hosts, err := c.Choose(names)
	if err != nil {
		return usage(err)
	}
	if len(hosts) == 0 && c.Kubernetes == nil {
		return usage(assay.WithHint("name hosts, or a Kubernetes: kubernetes: {kubeconfig: FILE}", "%s has no hosts", file))
	}
	var ask asker
	if by.Record == "" && by.Replay == "" {
		ask = func(ctx context.Context) ([]assay.Facts, error) {
			answers, err := session.AskHosts(ctx, c, hosts, by)
			return factsOf(answers), err
		}
	}
	asked := make([]string, len(hosts))
	for i, h := range hosts {
		asked[i] = h.Name
	}
	p, err := a.pastOf(ctx, asked, ask)
	if err != nil {
		return err
	}
	g, err := session.Gather(ctx, c, hosts, since, by)
	if err != nil {
		return err
	}
	var reads measurer
	if measure {
		reads = func(ctx context.Context, all []decide.Read) ([]decide.Measured, error) {
			return session.Measure(ctx, c, hosts, all, by)
		}
	}
	k := a.podsOf(ctx, c, len(names) == 0, since, by)
	return a.diagnoseGathered(ctx, g, p, reads, k...)
}

// diagnoseGathered judges what hosts reported, and lists what they did not.
func (a *app) diagnoseGathered(ctx context.Context, g session.Gathered, p past, measure measurer, clusters ...askedPods) error {
	var rows []incidentview.Collected
	var failing []incidentview.Pod
	for _, k := range clusters {
		g.Log = incident.Merge(g.Log, k.log)
		rows, failing = append(rows, k.rows...), append(failing, k.pods...)
		if k.err != nil {
			g.Down = append(g.Down, session.Down{Host: "kubernetes", Why: k.err.Error(), Hint: assay.Hint(k.err)})
		}
	}
	for _, answer := range g.Answers {
		rows = append(rows, incidentview.Collected{Host: answer.Host, What: "clock", Told: answer.Clock.String()})
		for _, r := range answer.Records {
			rows = append(rows, incidentview.Collected{Host: answer.Host, What: r.Name, Lines: r.Lines, Absent: r.Absent})
		}
	}
	for _, d := range g.Down {
		rows = append(rows, incidentview.Collected{Host: d.Host, What: "everything", Absent: withHint("failed: "+d.Why, d.Hint)})
	}
	verdict, measured, err := a.decided(ctx, g.Log, measure)
	if err != nil {
		return err
	}
	since, err := a.since(ctx, p, shown(verdict))
	if err != nil {
		return err
	}
	if err := a.show(incidentview.Build(g.Log, verdict, incidentview.Besides{Collected: rows, Measured: measured, Since: since, Pods: failing})); err != nil {
		return err
	}
	switch {
	case len(g.Down) > 0 && len(g.Answers) == 0 && len(rows) == len(g.Down):
		return &statusError{exitFailed, nil}
	case len(g.Down) > 0:
		return &statusError{exitPartial, nil}
	}
	return nil
}

// shown returns the events that a verdict rests on.
func shown(v blame.Verdict) (all []incident.Event) {
	if v.Cause != nil {
		all = v.Cause.Evidence
	}
	for _, c := range slices.Concat(v.Rivals, v.Between) {
		all = append(all, c.Evidence...)
	}
	return all
}

// decided returns the verdict on a log after the deciding reads.
func (a *app) decided(ctx context.Context, log incident.Log, measure measurer) (blame.Verdict, []decide.Measured, error) {
	v := blame.Judge(log)
	if measure == nil {
		return v, nil, nil
	}
	reads := decide.Plan(log, v)
	for _, line := range incidentview.Announced(reads) {
		a.stderr.say("%s\n", line)
	}
	if len(reads) == 0 {
		return v, nil, nil
	}
	measured, err := measure(ctx, reads)
	if err != nil {
		return v, nil, err
	}
	v, measured = decide.Settle(v, measured)
	return v, measured, nil
}

// diagnoseFiles judges the contents of files. Unreadable files are reported, and do
// not stop the others from being read.
func (a *app) diagnoseFiles(ctx context.Context, names []string) error {
	r := read.New()
	failed := 0
	for _, name := range names {
		if err := a.readLog(ctx, r, name); err != nil {
			a.stderr.complain(err)
			failed++
		}
	}
	if failed == len(names) {
		return &statusError{exitUsage, nil}
	}
	log := r.Log()
	v, likeness := alike.Known().Weigh(blame.JudgePosted(log), log)
	if err := a.show(incidentview.Build(log, v, incidentview.Besides{Alike: likeness.Nearest})); err != nil {
		return err
	}
	if failed > 0 {
		return &statusError{exitPartial, nil}
	}
	return nil
}

func (a *app) readLog(ctx context.Context, r *read.Reader, name string) error {
	if name == "-" {
		return r.Read("stdin", "", interruptible{ctx, a.stdin})
	}
	f, err := a.openText(name)
	if err != nil {
		return err
	}
	defer f.Close()
	return r.Read(name, "", interruptible{ctx, f})
}

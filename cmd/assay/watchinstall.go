package main

import (
	"cmp"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strings"
	"time"

	"assay"
	"assay/internal/nearest"
	"assay/internal/quantity"
	"assay/run/session"
)

// printInstall prints what keeps a watch running for ever.
func (a *app) printInstall(w *watcher, where, image string) error {
	switch where {
	case "systemd":
		return a.installSystemd(w)
	case "kubernetes":
		return a.installKubernetes(w, image)
	}
	return usage(assay.WithHint(nearest.Hint(where, []string{"systemd", "kubernetes"}), "--install %s: not one of systemd, kubernetes", where))
}

// words returns the arguments of the watch, with absolute file paths.
func (w *watcher) words() (all []string, err error) {
	whole := func(path string) string {
		abs, aerr := filepath.Abs(path)
		if aerr != nil {
			err = aerr
		}
		return abs
	}
	if w.at.Cluster != "" {
		all = append(all, "-i", whole(w.at.Cluster))
		for flag, names := range map[string][]string{"--host": w.at.Only, "--network": w.at.Networks} {
			if len(names) > 0 {
				all = append(all, flag, strings.Join(names, ","))
			}
		}
	} else {
		for _, d := range w.at.Directories {
			all = append(all, "--dir", whole(d))
		}
	}
	if w.every > 0 {
		all = append(all, "--every", quantity.Span(w.every))
	}
	if w.keepWord != "" {
		all = append(all, "--keep", w.keepWord)
	}
	if w.listen != "" {
		all = append(all, "--listen", w.listen)
	}
	if w.textfile != "" {
		all = append(all, "--textfile", whole(w.textfile))
	}
	if w.push != "" {
		all = append(all, "--push", w.push)
	}
	if path, is := strings.CutPrefix(w.token, "file "); is {
		all = append(all, "--push-token", "file "+whole(strings.TrimSpace(path)))
	} else if w.token != "" {
		all = append(all, "--push-token", w.token)
	}
	return all, err
}

func (a *app) installSystemd(w *watcher) error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	words, err := w.words()
	if err != nil {
		return err
	}
	line := unitWord(self) + " watch --db %S/assay/assay.db"
	for _, word := range words {
		line += " " + unitWord(word)
	}
	return a.stdout.lines([]byte(`# /etc/systemd/system/assay-watch.service
# systemctl enable --now assay-watch; what it finds: journalctl -u assay-watch
[Unit]
Description=assay watch: a light canary for storage and network
Documentation=man:systemd.service(5)
After=network-online.target
Wants=network-online.target

[Service]
ExecStart=` + line + `
StateDirectory=assay
Environment=XDG_STATE_HOME=%S
Restart=always
RestartSec=60
# Ctrl-C's way out: what a round has made is taken away again.
KillSignal=SIGINT
TimeoutStopSec=30

[Install]
WantedBy=multi-user.target
`))
}

// unitWord quotes a word for ExecStart=, where % and $ are special.
func unitWord(word string) string {
	word = strings.NewReplacer("%", "%%", "$", "$$", `\`, `\\`, `"`, `\"`).Replace(word)
	if word == "" || strings.ContainsAny(word, " \t'\";\\") {
		return `"` + word + `"`
	}
	return word
}

// installKubernetes prints manifests that measure the hosts of a cluster.yaml from a pod,
// over SSH with the key in a Secret and the database on a claim: a CronJob, or a
// Deployment for a watch that others read between rounds.
func (a *app) installKubernetes(w *watcher, image string) error {
	switch {
	case image == "":
		return usage(assay.WithHint("add --image REGISTRY/assay:TAG: any image with assay and an ssh client", "--install kubernetes needs an image"))
	case w.at.Cluster == "":
		return usage(assay.WithHint("add -i cluster.yaml", "--install kubernetes watches the hosts of a cluster.yaml over SSH"))
	case w.textfile != "":
		return usage(assay.WithHint("use --listen or --push", "nothing reads a --textfile in a pod"))
	}
	if err := w.checkSSH(); err != nil {
		return err
	}
	text, err := os.ReadFile(w.at.Cluster)
	if err != nil {
		return err
	}
	workload, err := w.workload(image)
	if err != nil {
		return err
	}
	if w.cronJob() && w.every == 0 {
		a.stderr.say("note: this CronJob runs hourly, whatever a round costs\nhint: assay watch -i %s --rounds 1 prints the interval that stays below 0.1 %%: add it as --every\n", w.at.Cluster)
	}
	return a.stdout.lines([]byte(strings.Join([]string{
		"# The key for SSH: kubectl create secret generic assay-ssh --from-file=id_ed25519 --from-file=known_hosts\n" + w.tokenSecret() +
			"apiVersion: v1\nkind: ConfigMap\nmetadata: {name: assay-watch}\ndata:\n  cluster.yaml: |\n" + indented(4, string(text)) +
			"  ssh_config: |\n" + indented(4, sshConfig),
		`apiVersion: v1
kind: PersistentVolumeClaim
metadata: {name: assay-watch}
spec:
  accessModes: [ReadWriteOnce]
  resources: {requests: {storage: 2Gi}}
`, workload}, "---\n")))
}

// checkSSH refuses hosts that need an ssh configuration of this machine.
func (w *watcher) checkSSH() error {
	c, err := session.ReadCluster(w.at.Cluster)
	if err != nil {
		return err
	}
	hosts, err := c.Choose(w.at.Only)
	if err != nil {
		return usage(err)
	}
	for _, h := range hosts {
		if h.SSH.Config != "" {
			return usage(assay.WithHint("write its address:, user: and port: in "+w.at.Cluster+" instead; the pod takes its key from the Secret assay-ssh",
				"host %s: ssh.config: the pod has no file %s", h.Name, h.SSH.Config))
		}
	}
	return nil
}

// sshDir is where a pod finds the key for SSH, from the Secret assay-ssh.
const sshDir = "/etc/assay-ssh"

// sshConfig is the pod's /etc/ssh/ssh_config. Its paths are absolute, because ssh
// takes ~ from the user database of the image and not from HOME. A Secret is
// read-only: ssh could not save new host keys there.
const sshConfig = "IdentityFile " + sshDir + "/id_ed25519\nUserKnownHostsFile " + sshDir + "/known_hosts\nUpdateHostKeys no\n"

// pushFile is where a pod finds the token for --push, from the Secret
// assay-push.
const pushFile = "/etc/assay-push/token"

func (w *watcher) tokenSecret() string {
	if w.token == "" {
		return ""
	}
	return "# The token for --push: kubectl create secret generic assay-push --from-file=token\n"
}

// hourly is how often a CronJob runs unless told otherwise: unlike a watch, it can't
// choose its interval by the cost of a round.
const hourly = time.Hour

// cronJob reports whether each round is a pod of its own, since nobody reads figures
// between rounds.
func (w *watcher) cronJob() bool { return w.listen == "" && w.push == "" }

// workload returns the CronJob, or the Deployment with its scrape Service.
func (w *watcher) workload(image string) (string, error) {
	if w.cronJob() {
		schedule, err := cron(cmp.Or(w.every, hourly))
		if err != nil {
			return "", err
		}
		return `apiVersion: batch/v1
kind: CronJob
metadata: {name: assay-watch}
spec:
  schedule: "` + schedule + `"
  concurrencyPolicy: Forbid
  successfulJobsHistoryLimit: 3
  failedJobsHistoryLimit: 3
  jobTemplate:
    spec:
      backoffLimit: 0
      template:
        spec:
          restartPolicy: Never
` + indented(10, w.pod(image, "")), nil
	}
	_, port, err := net.SplitHostPort(w.listen)
	if err != nil && w.listen != "" {
		return "", usage(assay.WithHint("for example --listen :9798", "--listen %s: %w", w.listen, err))
	}
	// One pod at a time: two would measure each other, and the claim is for one node.
	text := `apiVersion: apps/v1
kind: Deployment
metadata: {name: assay-watch}
spec:
  replicas: 1
  strategy: {type: Recreate}
  selector: {matchLabels: {app: assay-watch}}
  template:
    metadata: {labels: {app: assay-watch}}
    spec:
` + indented(6, w.pod(image, port))
	if port == "" {
		return text, nil
	}
	return text + `---
apiVersion: v1
kind: Service
metadata:
  name: assay-watch
  annotations: {prometheus.io/scrape: "true", prometheus.io/port: "` + port + `"}
spec:
  selector: {app: assay-watch}
  ports: [{name: metrics, port: ` + port + `}]
`, nil
}

// pod returns the container that runs the watch, and its volumes. port is its
// metrics port, "" for none.
func (w *watcher) pod(image, port string) string {
	args := []string{"watch"}
	every := w.every
	if w.cronJob() {
		args = append(args, "--rounds", "1")
		every = cmp.Or(every, hourly) // so that a round says what rounds at this interval cost
	}
	args = append(args, "-i", "/etc/assay/cluster.yaml", "--db", "/var/lib/assay/assay.db")
	for _, f := range []struct {
		flag  string
		names []string
	}{{"--host", w.at.Only}, {"--network", w.at.Networks}} {
		if len(f.names) > 0 {
			args = append(args, f.flag, strings.Join(f.names, ","))
		}
	}
	if w.keepWord != "" {
		args = append(args, "--keep", w.keepWord)
	}
	if every > 0 {
		args = append(args, "--every", quantity.Span(every))
	}
	ports, mounts, volumes := "", "", ""
	if port != "" {
		args = append(args, "--listen", ":"+port) // on the pod, whatever address was given
		ports = "    ports: [{name: metrics, containerPort: " + port + "}]\n"
	}
	if w.push != "" {
		args = append(args, "--push", w.push)
	}
	if w.token != "" {
		args = append(args, "--push-token", "file "+pushFile)
		mounts = "      - {name: push, mountPath: " + filepath.Dir(pushFile) + ", readOnly: true}\n"
		volumes = "  - {name: push, secret: {secretName: assay-push, defaultMode: 0400}}\n"
	}
	for i, word := range args {
		args[i] = fmt.Sprintf("%q", word)
	}
	return `containers:
  - name: assay
    image: ` + fmt.Sprintf("%q", image) + `
    command: [assay]
    args: [` + strings.Join(args, ", ") + `]
    # The key is root's: ssh accepts none that others may read.
    securityContext: {runAsUser: 0}
    env:
      - {name: HOME, value: /var/lib/assay}
` + ports + `    volumeMounts:
      - {name: config, mountPath: /etc/assay}
      - {name: state, mountPath: /var/lib/assay}
      - {name: config, mountPath: /etc/ssh/ssh_config, subPath: ssh_config, readOnly: true}
      - {name: ssh, mountPath: ` + sshDir + `, readOnly: true}
` + mounts + `volumes:
  - {name: config, configMap: {name: assay-watch}}
  - {name: state, persistentVolumeClaim: {claimName: assay-watch}}
  - {name: ssh, secret: {secretName: assay-ssh, defaultMode: 0400}}
` + volumes
}

// indented indents lines and trims trailing blanks.
func indented(by int, text string) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		b.WriteString(strings.TrimRight(strings.Repeat(" ", by)+strings.TrimRight(line, "\r\n"), " ") + "\n")
	}
	return b.String()
}

// cron returns the schedule for that interval. Cron knows only hours and minutes.
func cron(every time.Duration) (string, error) {
	minutes := int(every / time.Minute)
	switch {
	case every%time.Minute != 0 || minutes == 0:
	case minutes < 60 && 60%minutes == 0:
		return fmt.Sprintf("*/%d * * * *", minutes), nil
	case every == hourly:
		return "17 * * * *", nil
	case minutes%60 == 0 && minutes <= 24*60 && 24%(minutes/60) == 0:
		return fmt.Sprintf("17 */%d * * *", minutes/60), nil
	}
	return "", usage(assay.WithHint("for example 15m, 1h, 6h or 24h", "--every %s: a CronJob can't run that often", every))
}

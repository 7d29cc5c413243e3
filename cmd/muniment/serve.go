package main

import (
	"context"
	"crypto/tls"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"muniment/archive"
	"muniment/archive/problem"
	"muniment/audit"
	"muniment/engine"
	"muniment/server"
	"muniment/server/pages"
	"muniment/server/setting"
	"muniment/text/legible"
)

// serveOptions returns the options of a server of this archive. Without a key it answers no
// questions.
func serveOptions(p *program, key string) (server.Options, error) {
	p.serves = true
	o := server.Options{Open: p.open, Version: programVersion(), ReasoningRequired: p.env("CITATION_REASONING_REQUIRED")}
	signer, err := p.signer(key)
	if err == nil {
		o.Signer = signer
	} else if key != "" || p.env("MUNIMENT_KEY") != "" {
		return o, err
	}
	return o, nil
}

// programVersion returns the version of this program as it was built.
func programVersion() string {
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" {
		return info.Main.Version
	}
	return "(devel)"
}

type serveCommand struct {
	*program
	settings *setting.Settings
	file     string // of settings
	print    bool
}

func newServeCommand(prog *program) *cobra.Command {
	p := &serveCommand{program: prog, settings: setting.New()}
	cmd := command("serve", "serve", "Serve the archive to people and programs over HTTP",
		`Pages for a browser are at /. Calls of programs are under /api/v1/ and the Model Context
Protocol under /mcp; /openapi.json describes every call. The messages are those that the
commands print with --json.

On 127.0.0.1:8437, or another loopback address, a caller without a token sees what the
public sees: it searches, reads what consent lets the lowest tier see, registers sources,
cites and checks. A link is printed there that is good once and makes one browser the
archivist's, who sees everything until the browser is closed or the server stops; with
--quiet there is none. Elsewhere every call needs a token (muniment token new), which
decides role, project and tier; a browser asks for a name, which may be any, and for the
token as the password. Nothing here changes consent or trust, withdraws or signs a snapshot.
Questions are answered where there is a key to sign with: --key, or the standard key. With
--review-key the archivist's verdicts on the page /review are signed with that key; without
it the page says which command signs them.

A snapshot that another command signs is served from the next call on. An interrupt or
SIGTERM lets running calls end, for stop_time; a second one stops at once. Logs go to
stderr, a line of JSON for each call with its X-Request-Id, without its content; /livez,
/readyz and /metrics are for a supervisor.

Every address, file and limit is a setting, MUNIMENT_SERVE_NAME, of the environment or of
a --config FILE of lines NAME=value; an option goes before the environment, and that before
the file. --print-config prints all of them with their values, as a file to begin with.
Behind a proxy name its address with --proxy, else every caller is the proxy's machine.`,
		`muniment -C letters serve
muniment -C letters serve --listen 0.0.0.0:8437 --host archive.example.org
muniment serve --print-config > serve.conf`,
		cobra.NoArgs, p.run)
	f := cmd.Flags()
	f.StringVar(&p.file, "config", "", "the `FILE` of settings, lines NAME=value")
	f.BoolVar(&p.print, "print-config", false, "print every setting with its value, and serve nothing")
	f.String("listen", setting.DefaultListen, "the `ADDRESS` to listen on, host:port; port 0 takes a free one")
	f.StringArray("host", nil, "a `NAME` that callers use for the server, in addition to its address; may be repeated")
	f.StringArray("proxy", nil, "the `ADDRESS` or network of a proxy whose X-Forwarded-For, -Host and -Proto count; may be repeated")
	f.String("tls-cert", "", "the `FILE` of the TLS certificate chain, PEM; without it the server speaks HTTP")
	f.String("tls-key", "", "the `FILE` of the certificate's private key, PEM")
	f.String("key", "", "the private key `FILE` to sign answers with")
	f.String("review-key", "", "the private key `FILE` to sign the archivist's reviews with")
	f.String("trust", "", "the trust root or allowed_signers `FILE` that posted bundles are verified with")
	return cmd
}

// settingOf is the setting that each option of serve sets.
var settingOf = map[string]string{"listen": "LISTEN", "host": "HOSTS", "proxy": "PROXIES", "tls-cert": "TLS_CERT", "tls-key": "TLS_KEY", "key": "KEY", "review-key": "REVIEW_KEY", "trust": "TRUST"}

// readSettings applies the settings of the file, then of the environment, then of the options.
func (p *serveCommand) readSettings(flags *pflag.FlagSet) error {
	if p.file != "" {
		data, err := p.readText(p.file, setting.MaxFile)
		if err != nil {
			return err
		}
		if err := p.settings.Read(strings.NewReader(data)); err != nil {
			return problem.New(problem.Usage, problem.Advise("muniment serve --print-config prints a file with every setting"), "%s: %w", p.file, err)
		}
	}
	if p.environ != nil {
		if err := p.settings.Environment(p.environ()); err != nil {
			return problem.New(problem.Usage, problem.Advise("muniment serve --print-config prints every setting"), "environment: %w", err)
		}
	}
	var fault error
	flags.Visit(func(f *pflag.Flag) {
		name, ok := settingOf[f.Name]
		if !ok {
			return
		}
		value := f.Value.String()
		if all, ok := f.Value.(pflag.SliceValue); ok {
			value = strings.Join(all.GetSlice(), ",")
		}
		if err := p.settings.Set(setting.Prefix+name, value); err != nil && fault == nil {
			fault = problem.New(problem.Usage, problem.Advise("muniment help serve"), "--%s: %w", f.Name, err)
		}
	})
	if s := p.settings; fault == nil && (s.Certificate == "") != (s.TLSKey == "") {
		fault = problem.New(problem.Usage, problem.Advise("give both --tls-cert and --tls-key, or neither"), "a certificate needs its key")
	}
	return fault
}

func (p *serveCommand) run(cmd *cobra.Command, _ []string) error {
	if err := p.readSettings(cmd.Flags()); err != nil {
		return err
	}
	s := p.settings
	if p.print {
		p.printed = true
		return s.Write(p.stdout)
	}
	o, err := serveOptions(p.program, s.Key)
	if err != nil {
		return err
	}
	o.Limits, o.Hosts, o.Proxies = s.Limits, s.Hosts, s.Proxies
	if s.ReviewKey != "" {
		if o.Reviewer, err = p.signer(s.ReviewKey); err != nil {
			return err
		}
	}
	if s.Trust != "" {
		trusted, err := archive.ReadTrust(s.Trust)
		if err != nil {
			return err
		}
		o.Trust = audit.VerifyOptions{Allowed: trusted.Allowed, Root: trusted.Root, TrustFile: s.Trust}
	}
	if len(s.Webhooks) > 0 {
		secret, err := p.readText(s.HookSecret, 1<<10)
		if err != nil {
			return err
		}
		o.Webhooks, o.WebhookSecret = s.Webhooks, strings.TrimSpace(secret)
	}
	return p.serve(cmd.Context(), o)
}

// serve answers HTTP until the context ends, and then ends the calls under way.
func (p *serveCommand) serve(ctx context.Context, o server.Options) error {
	st := p.settings
	address := st.Listen
	p.stopTime.Store(int64(st.StopTime))
	l, err := net.Listen("tcp", address)
	if err != nil {
		return &problem.Error{Kind: problem.Environment, Message: "listen on " + address + ": " + legible.Reason(err), Next: problem.Advise("muniment serve --listen 127.0.0.1:0 takes a free port"), Err: err}
	}
	defer l.Close()
	at, ok := l.Addr().(*net.TCPAddr)
	o.Remote = !ok || !at.IP.IsLoopback()
	level := slog.LevelInfo
	if p.quiet {
		level = slog.LevelError
	}
	o.Log = slog.New(slog.NewJSONHandler(p.stderr, &slog.HandlerOptions{Level: level}))
	s, err := server.New(o)
	if err != nil {
		return err
	}
	defer s.Close()
	s.ServePages(pages.New())
	h := &http.Server{Handler: s.Handler(), ReadHeaderTimeout: st.HeaderTime, ReadTimeout: st.ReadTime, WriteTimeout: st.WriteTime, IdleTimeout: st.IdleTime, MaxHeaderBytes: st.Headers,
		ErrorLog: slog.NewLogLogger(o.Log.Handler(), slog.LevelWarn)}
	h.RegisterOnShutdown(s.Drain)
	scheme := "http"
	if st.Certificate != "" {
		scheme = "https"
		pair, err := tls.LoadX509KeyPair(st.Certificate, st.TLSKey)
		if err != nil {
			return &problem.Error{Kind: problem.Environment, Message: "TLS: " + legible.Reason(err), Next: problem.Advise("name a certificate chain and its key, both PEM, in tls_cert and tls_key"), Err: err}
		}
		h.TLSConfig = &tls.Config{Certificates: []tls.Certificate{pair}, MinVersion: tls.VersionTLS12}
	}
	link := ""
	if !o.Remote && !p.quiet && !p.json {
		if link, err = s.NewLink(); err != nil {
			return err
		}
	}
	p.show("serve", serveResult{l.Addr().String(), o.Remote, o.Signer != nil}, func() {
		p.out("%s://%s/", scheme, l.Addr())
		if link != "" {
			p.say("that is what the public sees; everything, in one browser and once: %s://%s%s", scheme, l.Addr(), link)
		}
		if o.Signer == nil {
			p.say("no key to sign with: ask is not served; muniment key new makes one")
		}
	})
	ended := make(chan error, 1)
	go func() {
		if h.TLSConfig != nil {
			ended <- h.ServeTLS(l, "", "")
			return
		}
		ended <- h.Serve(l)
	}()
	select {
	case err := <-ended:
		return &problem.Error{Kind: problem.Environment, Message: "serve: " + err.Error(), Next: problem.Advise("run the same command again"), Err: err}
	case <-ctx.Done():
	}
	last, cancel := context.WithTimeout(context.Background(), st.StopTime)
	defer cancel()
	if err := h.Shutdown(last); err != nil && !errors.Is(err, http.ErrServerClosed) {
		return &problem.Error{Kind: problem.Interrupted, Message: "stopped before every call had ended", Next: problem.Advise("what was confirmed is kept; run the same command again")}
	}
	return nil
}

func newMcpCommand(p *program) *cobra.Command {
	var key, session, print, as string
	cred := server.Credential{Role: engine.RoleAgent}
	cmd := command("serve", "mcp", "Serve the archive to an agent as tools",
		`Speaks the Model Context Protocol on standard input and output: eighteen tools to search, read,
cite, check and seal, resources muniment://artifact/ID with the texts, and a prompt that teaches
citing. A host starts this command by itself; /mcp of muniment serve is the same over HTTP.

The agent has the --tier given, the lowest without one, and sees what consent lets that
tier see; with --as archivist it sees everything, as you do.

With --print-tools the definitions of the tools are printed for a host that speaks no MCP.`,
		`muniment -C letters mcp --session review-3
muniment mcp --print-tools openai`,
		cobra.NoArgs, func(cmd *cobra.Command, _ []string) error {
			if print != "" {
				tools, err := server.ToolDefinitions(print)
				if err != nil {
					return err
				}
				p.document("tools", tools)
				return nil
			}
			if cred.Snapshots && (cred.Role != engine.RoleAgent || cred.Name == defaultAgent) {
				return problem.New(problem.Usage, problem.Next(problem.DoGive, "agent", "harvester"), "--snapshots signs for an agent that has a name of its own")
			}
			o, err := serveOptions(p, key)
			if err != nil {
				return err
			}
			archivist, err := asksAsArchivist(as)
			if err != nil {
				return err
			}
			if archivist {
				cred.Role, cred.Archivist = engine.RoleAdmin, true
			}
			o.Limits.Readers = 1
			s, err := server.New(o)
			if err != nil {
				return err
			}
			defer s.Close()
			p.printed = true
			return s.RunMCP(cmd.Context(), cred, session, p.stdin, p.stdout)
		})
	f := cmd.Flags()
	f.StringVar(&print, "print-tools", "", "print the tools for a `HOST`: "+strings.Join(server.ToolFormats, " or "))
	f.StringVar(&session, "session", "mcp", "name of the conversation or task")
	f.StringVar(&cred.Name, "agent", defaultAgent, "name of the program that calls")
	f.StringVar(&cred.Project, "project", "", "the project, a namespace of its own")
	f.StringVar(&cred.Tier, "tier", "", "the tier of the policy, the lowest without it")
	f.StringVar((*string)(&cred.Role), "role", string(engine.RoleAgent), "agent, user, auditor or admin: what the caller may do")
	f.BoolVar(&cred.Snapshots, "snapshots", false, "sign what the agent added itself when it asks; without it a person signs")
	f.StringVar(&as, "as", "", "archivist: withhold nothing from the agent, the same as --role admin")
	f.StringVar(&key, "key", "", "the private key `FILE` to sign answers with")
	return cmd
}

// defaultAgent is the name of every program that gives none.
const defaultAgent = "mcp"

func newTokenCommand(p *program) *cobra.Command {
	cmd := command("keys", "token", "Make and revoke tokens for programs", "A token is the credential of a program that calls muniment serve. Its hash is kept in archive.local;\nthe secret is printed once.",
		"muniment token new analyst --role agent --project review --tier researcher\nmuniment token list", cobra.NoArgs, p.overview)
	cmd.AddCommand(newTokenNewCommand(p), newTokenListCommand(p), newTokenRevokeCommand(p))
	return withoutArchive(cmd)
}

func newTokenNewCommand(p *program) *cobra.Command {
	cred := server.Credential{}
	cmd := command("", "new NAME", "Make a token", "Prints a new token, which cannot be read again. A caller that sends it as\nAuthorization: Bearer has its role, project and tier, whatever the call says.",
		"muniment token new analyst --role agent --project review --tier researcher --expires 720h",
		cobra.ExactArgs(1), func(cmd *cobra.Command, args []string) error {
			cred.Name = args[0]
			if d, err := time.ParseDuration(cred.Expires); err == nil {
				cred.Expires = p.world.Now().Add(d).UTC().Format(time.RFC3339)
			}
			return p.withArchive(func(a *archive.Archive) error {
				secret, t, err := server.NewToken(a, cred)
				if err != nil {
					return err
				}
				p.show("token", newToken{secret, t.Credential}, func() {
					p.out("%s", secret)
					p.say("keep it now: only its hash is kept here")
				})
				return nil
			})
		})
	f := cmd.Flags()
	f.StringVar((*string)(&cred.Role), "role", string(engine.RoleAgent), "agent, user, auditor or admin")
	f.StringVar(&cred.Project, "project", "", "the project, a namespace of its own")
	f.StringVar(&cred.Tier, "tier", "", "the tier of the policy, the lowest without it")
	f.BoolVar(&cred.Snapshots, "snapshots", false, "sign what the program added itself when it asks; without it a person signs")
	f.StringVar(&cred.Expires, "expires", "", "after a time such as 720h, or at one such as 2027-01-31T00:00:00Z")
	return cmd
}

func newTokenListCommand(p *program) *cobra.Command {
	return command("", "list", "List the tokens", "Lists the tokens with what they permit.", "muniment token list",
		cobra.NoArgs, p.inArchive(func(_ *cobra.Command, a *archive.Archive, _ []string) error {
			all, err := server.Tokens(a)
			if err != nil {
				return err
			}
			list := []server.Credential{}
			for _, t := range all {
				list = append(list, t.Credential)
			}
			p.show("tokens", tokenList{list}, func() {
				for _, t := range list {
					p.out("%s", strings.Join(slices.DeleteFunc([]string{t.Name, string(t.Role), t.Project, t.Tier, t.Expires}, func(s string) bool { return s == "" }), "  "))
				}
				p.say("%s", count(len(list), "token"))
			})
			return nil
		}))
}

func newTokenRevokeCommand(p *program) *cobra.Command {
	return command("", "revoke NAME", "Revoke a token", "A server refuses the token from the next call on.", "muniment token revoke analyst",
		cobra.ExactArgs(1), p.inArchive(func(_ *cobra.Command, a *archive.Archive, args []string) error {
			if err := server.RevokeToken(a, args[0]); err != nil {
				return err
			}
			p.show("token", revokedToken{args[0]}, func() { p.out("revoked %s", args[0]) })
			return nil
		}))
}

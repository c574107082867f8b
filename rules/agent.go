package rules

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gete-lint/gete/schema/declaration"
	"github.com/gete-lint/gete/schema/redact"
	"github.com/gete-lint/gete/schema/source"
	"github.com/gete-lint/gete/schema/suggest"
)

func agent() []Rule {
	return []Rule{
		{ID: "name-directory", Severity: Error, Summary: "An agent's name differs from its folder's.", Agent: nameDirectory},
		{ID: "name-service-account", Severity: Error, Summary: "An agent's name makes no valid service account.", Agent: nameServiceAccount},
		{ID: "authorization-id", Severity: Error, Summary: "An agent and a connection make too long an authorization id.", Agent: authorizationID},
		{ID: "connection-unknown", Severity: Error, Summary: "No connection has that id.", Agent: connectionUnknown},
		{ID: "connection-retired", Severity: Error, Summary: "A connection is retired.", Agent: eachUse(connectionRetired)},
		{ID: "connection-twice", Severity: Error, Summary: "An agent names a connection twice.", Agent: connectionTwice},
		{ID: "connection-rootless", Severity: Error, Summary: "A connection still needs its base_url.", Agent: eachUse(connectionRootless)},
		{ID: "connection-app", Severity: Error, Summary: "A connection's GitHub App is not complete.", Agent: eachUse(connectionApp)},
		{ID: "scope-not-offered", Severity: Error, Summary: "An agent selects a scope that its connection does not offer.", Agent: scopesNotOffered},
		{ID: "connections-confusable", Severity: Error, Summary: "A token cannot tell two connections of an agent apart.", Agent: connectionsConfusable},
		{ID: "shared-credential", Severity: Error, Summary: "A shared credential has no secret in gete.yaml.", Agent: sharedCredential},
		{ID: "env-delivered", Severity: Error, Summary: "A variable is set that the deployment delivers.", Agent: envDelivered},
		{ID: "env-reserved", Severity: Error, Summary: "A variable is set that the runtime reserves.", Agent: envReserved},
		{ID: "secret-empty", Severity: Error, Summary: "A secret variable names no secret.", Agent: secretEmpty},
		{ID: "file-missing", Severity: Error, Summary: "A file or folder that a declaration names is not there.", Agent: agentFileMissing, Project: projectFileMissing},
		{ID: "python-module", Severity: Error, Summary: "The module of a python tool is not below source.", Agent: pythonModule},
		{ID: "agent-misnamed", Severity: Warning, Summary: "A file is almost an agent.yaml, and is not read.", Project: agentMisnamed},
		{ID: "builtin-unusable", Severity: Warning, Summary: "A builtin is no tool that its name alone makes.", Agent: eachBuiltin(builtinUnusable)},
		{ID: "builtin-unknown", Severity: Error, Summary: "No builtin has that name.", Agent: eachBuiltin(builtinUnknown)},
	}
}

// eachUse asks a check of every connection that an agent names and the registry
// has.
func eachUse(check func(*Pass, declaration.Use, *declaration.Connection)) func(*Pass, *declaration.Agent) {
	return func(p *Pass, a *declaration.Agent) {
		for _, use := range a.Connections {
			if c := p.Project.Registry[use.ID.Value]; c != nil && !use.Repeated {
				check(p, use, c)
			}
		}
	}
}

func nameDirectory(p *Pass, a *declaration.Agent) {
	if a.Name != nil && a.Name.Value != a.Folder() {
		p.Report(Finding{
			At: a.Name, Message: fmt.Sprintf("the agent is named `%s`, and its folder `%s`", redact.Node(a.Name), source.Printable(a.Folder())),
			Help: "give both the same name",
		})
	}
}

// A service account's id has 6 to 30 characters (Google Cloud IAM).
const (
	serviceAccountSuffix = "-ae"
	serviceAccountMin    = 6
	serviceAccountMax    = 30
)

func nameServiceAccount(p *Pass, a *declaration.Agent) {
	if a.Name == nil {
		return
	}
	account := a.Name.Value + serviceAccountSuffix
	if len(account) < serviceAccountMin || len(account) > serviceAccountMax {
		p.Report(Finding{
			At: a.Name, Message: fmt.Sprintf("the agent's service account would be %s, which has %d characters and not %d to %d", account, len(account), serviceAccountMin, serviceAccountMax),
			Help: fmt.Sprintf("give the agent a name of %d to %d characters", serviceAccountMin-len(serviceAccountSuffix), serviceAccountMax-len(serviceAccountSuffix)),
		})
	}
}

// authorizationMax is how long the id of an authorization may be.
const authorizationMax = 63

func authorizationID(p *Pass, a *declaration.Agent) {
	if a.Name == nil {
		return
	}
	for _, use := range a.Connections {
		if id := a.Name.Value + "-" + use.ID.Value; len(id) > authorizationMax && !use.Repeated {
			p.Report(Finding{
				At: use.ID, Message: fmt.Sprintf("the authorization would be named %s, which has %d characters and not at most %d", source.Printable(id), len(id), authorizationMax),
				Help: "shorten the agent's name or the connection's id",
			})
		}
	}
}

func connectionUnknown(p *Pass, a *declaration.Agent) {
	if !p.Project.ConnectionsKnown() {
		return
	}
	ids, noIDs := p.Project.Registry.IDs(), p.Project.NoIDs()
	reported := map[string]bool{}
	check := func(id *source.Node) {
		// What is close to a key that is no id is meant to be that connection.
		if p.Project.Registry[id.Value] != nil || reported[id.Value] || suggest.Closest(id.Value, noIDs) != "" {
			return
		}
		reported[id.Value] = true
		f := Finding{
			At: id, Message: fmt.Sprintf("no connection is named `%s`", redact.Node(id)),
			Help: "declare it under connections in gete.yaml, or use one of " + strings.Join(ids, ", "),
		}
		if near := suggest.Like(id.Value, ids); near != "" {
			f.Message += fmt.Sprintf("; did you mean `%s`?", near)
		}
		p.Report(f)
	}
	for _, use := range a.Connections {
		check(use.ID)
	}
	for _, b := range a.Blocks {
		if calls := b.Calls(); calls != nil && calls.Connection != nil {
			check(calls.Connection)
		}
	}
}

func connectionRetired(p *Pass, use declaration.Use, c *declaration.Connection) {
	if reason := c.Text("retired"); reason != "" {
		p.Report(Finding{
			At: use.ID, Message: fmt.Sprintf("the connection `%s` is retired: %s", c.ID, source.Printable(redact.Text(reason))),
			Help: "use another connection",
		})
	}
}

func connectionTwice(p *Pass, a *declaration.Agent) {
	first := map[string]*source.Node{}
	for _, use := range a.Connections {
		if !use.Repeated {
			first[use.ID.Value] = use.ID
			continue
		}
		p.Report(Finding{
			At: use.ID, Message: fmt.Sprintf("the connection `%s` is named already", use.ID.Value),
			Help: "keep one of the two", Related: first[use.ID.Value], Note: "first named here",
		})
	}
}

func connectionRootless(p *Pass, use declaration.Use, c *declaration.Connection) {
	if c.Sound && c.NeedsRoot() {
		p.Report(Finding{
			At: use.ID, Message: fmt.Sprintf("the connection `%s` needs a base_url, and has none", c.ID),
			Help: fmt.Sprintf("write connections: {%s: {base_url: https://…}} in gete.yaml", c.ID),
		})
	}
}

func connectionApp(p *Pass, use declaration.Use, c *declaration.Connection) {
	if c.Get("app") == nil || !c.Sound {
		return
	}
	var missing []string
	for _, key := range []string{"app_id", "private_key_secret", "repositories", "permissions"} {
		if c.Get("app", key) == nil {
			missing = append(missing, key)
		}
	}
	if len(missing) > 0 {
		p.Report(Finding{
			At: use.ID, Message: fmt.Sprintf("the GitHub App of the connection `%s` lacks %s", c.ID, strings.Join(missing, ", ")),
			Help: fmt.Sprintf("add what is missing under connections.%s.app in gete.yaml", c.ID),
		})
		return
	}
	owners := map[string]bool{}
	for _, repository := range c.Items("app", "repositories") {
		owner, _, _ := strings.Cut(strings.ToLower(repository.Value), "/")
		owners[owner] = true
	}
	if len(owners) > 1 {
		p.Report(Finding{
			At: use.ID, Message: fmt.Sprintf("the repositories of the connection `%s` have %d owners, and one installation of a GitHub App has one", c.ID, len(owners)),
			Help: "declare a connection for each owner",
		})
	}
}

func scopesNotOffered(p *Pass, a *declaration.Agent) {
	for _, use := range a.Connections {
		if c := p.Project.Registry[use.ID.Value]; c != nil && c.Sound {
			scopeNotOffered(p, use, c)
		}
	}
}

func scopeNotOffered(p *Pass, use declaration.Use, c *declaration.Connection) {
	offered := c.Keys("oauth", "optional_scopes")
	for _, scope := range use.Scopes {
		f := Finding{At: scope, Label: "not offered"}
		switch {
		case c.Get("app") != nil:
			f.Message = fmt.Sprintf("`%s` is a GitHub App, which has permissions and no scopes", c.ID)
			f.Help = "remove the scopes, and set permissions in gete.yaml"
		case slices.Contains(offered, scope.Value):
			continue
		default:
			f.Message = fmt.Sprintf("`%s` is not among the optional scopes of `%s`", redact.Node(scope), c.ID)
			f.Help = "it offers none"
			if len(offered) > 0 {
				f.Help = "it offers " + strings.Join(offered, ", ")
			}
			if slices.Contains(c.Keys("oauth", "scopes"), scope.Value) {
				f.Help = "remove it: it is always asked for"
			} else if near := suggest.Like(scope.Value, offered); near != "" {
				f.Message += fmt.Sprintf("; did you mean `%s`?", near)
			}
		}
		p.Report(f)
	}
}

func connectionsConfusable(p *Pass, a *declaration.Agent) {
	var before []declaration.Use
	for _, use := range a.Connections {
		c := p.Project.Registry[use.ID.Value]
		if c == nil || !c.Sound || use.Repeated {
			continue
		}
		for _, other := range before {
			o := p.Project.Registry[other.ID.Value]
			if why := declaration.Confusable(o, c); why != "" {
				p.Report(Finding{
					At: use.ID, Message: fmt.Sprintf("a token cannot tell `%s` and `%s` apart: %s", o.ID, c.ID, why),
					Help:    "give the agent one of the two, or declare token_prefixes or tokens.format where the service has them",
					Related: other.ID, Note: "the other connection",
				})
				break
			}
		}
		before = append(before, use)
	}
}

func sharedCredential(p *Pass, a *declaration.Agent) {
	if !p.Project.SharedKnown {
		return
	}
	for _, item := range a.SharedCredentials {
		if !p.Project.StatesCredential(item.Value) {
			p.Report(Finding{
				At: item, Message: fmt.Sprintf("gete.yaml has no secret for `%s`", item.Value),
				Help: fmt.Sprintf("write shared_credentials: {%s: {token_secret: NAME}} in gete.yaml", item.Value),
			})
		}
	}
}

func envDelivered(p *Pass, a *declaration.Agent) {
	delivered := map[string]string{}
	for _, item := range a.SharedCredentials {
		if item.Value == "slack_post" {
			delivered["SLACK_BOT_TOKEN"] = "slack_post"
		}
	}
	for _, use := range a.Connections {
		if c := p.Project.Registry[use.ID.Value]; c != nil && c.Get("app") != nil {
			delivered["GETE_APP_KEY_"+variableName(c.ID)] = c.ID
		}
	}
	for _, f := range slices.Concat(a.Env, a.SecretEnv) {
		if by := delivered[f.Key.Value]; by != "" {
			p.Report(Finding{
				At: f.Key, Message: fmt.Sprintf("the deployment sets `%s`, for `%s`", f.Key.Value, by),
				Help: "remove it here",
			})
		}
	}
}

// variableName is a connection's id as it is in the name of a variable.
func variableName(id string) string {
	return strings.ReplaceAll(strings.ToUpper(id), "-", "_")
}

func envReserved(p *Pass, a *declaration.Agent) {
	for _, f := range a.Env {
		if f.Key.Value == "GOOGLE_CLOUD_PROJECT" || f.Key.Value == "GOOGLE_CLOUD_LOCATION" {
			p.Report(Finding{
				At: f.Key, Message: fmt.Sprintf("Agent Engine sets `%s` itself and refuses another value", f.Key.Value),
				Help: "remove it here; project and location of gete.yaml say where the agent runs",
			})
		}
	}
}

func secretEmpty(p *Pass, a *declaration.Agent) {
	for _, f := range a.SecretEnv {
		if f.Value.Value == "" && !a.Refused(f.Value) {
			p.Report(Finding{
				At: f.Value, Message: fmt.Sprintf("`%s` names no secret", f.Key.Value),
				Help: "write the name of the secret, or move the variable to env",
			})
		}
	}
}

func agentFileMissing(p *Pass, a *declaration.Agent) {
	if path, inFile := a.InstructionFile(); inFile {
		p.fileMissing(a.Dir, a.Instruction, path, RegularFile)
	}
	p.fileMissing(a.Dir, a.Source, "", Folder)
	p.fileMissing(a.Dir, a.Requirements, "", RegularFile)
	reported := map[string]bool{}
	for _, b := range a.Blocks {
		if b.OpenAPI == nil || b.OpenAPI.Spec == nil {
			continue
		}
		if path := Resolve(a.Dir, b.OpenAPI.Spec.Value); !reported[path] {
			reported[path] = p.fileMissing(a.Dir, b.OpenAPI.Spec, "", RegularFile)
		}
	}
}

func projectFileMissing(p *Pass) {
	p.fileMissing(p.Project.Dir, p.Project.AgentsDirStated(), "", Folder)
	for _, path := range p.Project.PolicyPaths() {
		p.fileMissing(p.Project.Dir, path, "", RegularFile)
	}
}

// fileMissing reports a value whose path, the value itself where path is empty,
// does not lead to a file of the kind.
func (p *Pass) fileMissing(dir string, at *source.Node, path string, want FileKind) bool {
	if at == nil {
		return false
	}
	if path == "" {
		path = at.Value
	}
	full := Resolve(dir, path)
	f := Finding{At: at}
	switch found := p.Files.Kind(full); {
	case found == want:
		return false
	case found == NoFile:
		f.Message = redact.Node(at) + " is not there"
		if !filepath.IsAbs(filepath.FromSlash(path)) {
			f.Help = "the path is relative to the folder of this file"
		}
		if near := suggest.Closest(filepath.Base(full), p.Files.List(filepath.Dir(full))); near != "" {
			f.Message += fmt.Sprintf("; did you mean %s?", source.Printable(strings.TrimSuffix(path, filepath.Base(full))+near))
		}
	case want == Folder:
		f.Message, f.Help = redact.Node(at)+" is a file, and a folder is needed", "name the folder that it is in"
	default:
		f.Message, f.Help = redact.Node(at)+" is a folder, and a file is needed", "name a file in it"
	}
	p.Report(f)
	return true
}

// Resolve is a path of a declaration, which has slashes on every system,
// relative to a folder.
func Resolve(dir, path string) string {
	path = filepath.FromSlash(path)
	if filepath.IsAbs(path) {
		return filepath.Clean(path)
	}
	return filepath.Join(dir, path)
}

func pythonModule(p *Pass, a *declaration.Agent) {
	stated := a.StatesSource()
	for _, b := range a.Blocks {
		if b.Python == nil {
			continue
		}
		if !stated {
			p.Report(Finding{
				At: b.Python, Message: "a python tool needs `source`, and the agent has none",
				Help: "add `source` with the folder of the agent's code",
			})
			continue
		}
		if a.Source == nil || p.Files.Kind(Resolve(a.Dir, a.Source.Value)) != Folder {
			continue // said of source itself
		}
		module, _, _ := strings.Cut(b.Python.Value, ":")
		path := Resolve(a.Dir, a.Source.Value+"/"+strings.ReplaceAll(module, ".", "/"))
		if p.Files.Kind(path+".py") == RegularFile || p.Files.Kind(filepath.Join(path, "__init__.py")) == RegularFile {
			continue
		}
		f := Finding{
			At: b.Python, Message: fmt.Sprintf("no module %s is below %s", module, redact.Node(a.Source)),
			Help: fmt.Sprintf("it would be %s.py, or a folder with an __init__.py", strings.ReplaceAll(module, ".", "/")),
		}
		if near := suggest.Closest(filepath.Base(path)+".py", p.Files.List(filepath.Dir(path))); near != "" {
			meant := module[:strings.LastIndexByte(module, '.')+1] + strings.TrimSuffix(near, ".py")
			f.Message += fmt.Sprintf("; did you mean %s?", source.Printable(meant))
		}
		p.Report(f)
	}
}

func agentMisnamed(p *Pass) {
	for _, f := range p.Project.Misnamed {
		p.ReportFile(f, "this file is not read: an agent's declaration is named agent.yaml", "rename it to agent.yaml")
	}
}

func eachBuiltin(check func(*Pass, *source.Node)) func(*Pass, *declaration.Agent) {
	return func(p *Pass, a *declaration.Agent) {
		for _, b := range a.Blocks {
			if b.Builtin != nil {
				check(p, b.Builtin)
			}
		}
	}
}

// readyTools are what google.adk.tools exports that a bare name makes a tool of.
func readyTools() []string {
	return []string{
		"enterprise_web_search", "exit_loop", "get_user_choice", "google_maps_grounding", "google_search",
		"load_artifacts", "load_memory", "preload_memory", "transfer_to_agent", "url_context",
	}
}

// otherExports are what google.adk.tools exports beside the ready tools.
func otherExports() []string {
	return []string{
		"AgentTool", "APIHubToolset", "AuthToolArguments", "BaseTool", "DiscoveryEngineSearchTool", "ExampleTool",
		"FunctionTool", "LongRunningFunctionTool", "MCPToolset", "McpToolset", "ToolContext", "TransferToAgentTool",
		"VertexAiSearchTool",
	}
}

func builtinUnusable(p *Pass, n *source.Node) {
	if slices.Contains(otherExports(), n.Value) {
		p.Report(Finding{
			At: n, Message: fmt.Sprintf("`%s` is a class or a type of google.adk.tools, and its name alone makes no tool", n.Value),
			Help: "make the tool in Python and name it in a python block, or use one of " + strings.Join(readyTools(), ", "),
		})
	}
}

func builtinUnknown(p *Pass, n *source.Node) {
	if slices.Contains(readyTools(), n.Value) || slices.Contains(otherExports(), n.Value) {
		return
	}
	f := Finding{
		At: n, Message: fmt.Sprintf("google.adk.tools has no `%s`", n.Value),
		Help: "the ready tools are " + strings.Join(readyTools(), ", "),
	}
	if near := suggest.Like(n.Value, readyTools()); near != "" {
		f.Message += fmt.Sprintf("; did you mean `%s`?", near)
	}
	p.Report(f)
}

package rules

import (
	"fmt"
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
	if a.Name != nil && !a.NoFolder && a.Name.Value != a.Folder() {
		p.Report(Finding{
			At: a.Name, Message: fmt.Sprintf("the agent is named `%s`, and its folder `%s`", redact.Node(a.Name), redact.Name(a.Folder())),
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
				At: use.ID, Message: fmt.Sprintf("the authorization would be named %s, which has %d characters and not at most %d", redact.Name(id), len(id), authorizationMax),
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
		if p.Project.Registry[id.Value] != nil || reported[id.Value] || suggest.Closest(id.Value, noIDs).Name != "" {
			return
		}
		reported[id.Value] = true
		f := Finding{
			At: id, Message: fmt.Sprintf("no connection is named `%s`", redact.Node(id)),
			Help: "declare it under connections in gete.yaml, or use one of " + strings.Join(ids, ", "),
		}
		f.Suggest(p.like(id.Value, ids), Backquoted)
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
			At: use.ID, Message: fmt.Sprintf("the connection `%s` is retired: %s", c.ID, redact.Name(redact.Text(reason))),
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
			} else {
				f.Suggest(p.like(scope.Value, offered), Backquoted)
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

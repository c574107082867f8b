package declaration

import (
	"github.com/gete-lint/gete/schema/source"
)

// A Project is a gete.yaml and all that lies below it. A lone agent is a project
// without one.
type Project struct {
	// Dir is the project's folder.
	Dir string
	// Gete is the gete.yaml; nil for a lone agent.
	Gete *Document
	// Agents are in the order of their folders' names.
	Agents []*Agent
	// Policies are in the order in which gete.yaml names them.
	Policies []*PolicyFile
	// Misnamed are the files that are almost an agent.yaml, in folders that
	// have none.
	Misnamed []*source.File
	// Complete says that every agent of the project is among Agents: none was
	// left out by the configuration.
	Complete bool
	// Registry is the catalog with the project's connections applied.
	Registry Registry
	// SharedKnown says that gete.yaml could be read for shared credentials.
	SharedKnown bool
}

// NewProject is the project of a gete.yaml, still without its agents and
// policies; d is nil for a lone agent.
func NewProject(dir string, d *Document) *Project {
	p := &Project{Dir: dir, Gete: d, Complete: true}
	if d == nil {
		p.Registry = newRegistry(nil, nil)
		return p
	}
	p.Registry = newRegistry(d, d.at("connections"))
	if !p.ConnectionsKnown() {
		for _, c := range p.Registry {
			c.Sound = false // gete.yaml may well say more of it
		}
	}
	root := d.Root()
	p.SharedKnown = root != nil && !d.Refused(root) && (d.at("shared_credentials") != nil || !d.States(root, "shared_credentials"))
	return p
}

// ConnectionsKnown says that no connection of the project was lost to a fault:
// then an id that the registry lacks is unknown.
func (p *Project) ConnectionsKnown() bool {
	if p.Gete == nil {
		return true
	}
	root := p.Gete.Root()
	if root == nil || p.Gete.Refused(root) || len(p.Gete.File.Faults) > 0 {
		return false
	}
	return p.Gete.at("connections") != nil || !p.Gete.States(root, "connections")
}

// Own are the connections that gete.yaml declares as maps, in its order.
func (p *Project) Own() []*Connection {
	var own []*Connection
	p.eachConnection(func(f source.Field, isID bool) {
		if isID && f.Value.Kind == source.Mapping {
			own = append(own, p.Registry[f.Key.Value])
		}
	})
	return own
}

// NoIDs are the keys among gete.yaml's connections that are no ids.
func (p *Project) NoIDs() []string {
	var keys []string
	p.eachConnection(func(f source.Field, isID bool) {
		if !isID {
			keys = append(keys, f.Key.Value)
		}
	})
	return keys
}

func (p *Project) eachConnection(do func(f source.Field, isID bool)) {
	if p.Gete == nil {
		return
	}
	if connections := p.Gete.at("connections"); connections != nil {
		for _, f := range connections.Fields {
			do(f, !p.Gete.Unknown(f.Key))
		}
	}
}

// AgentsDirKnown says that it is known which folder that is.
func (p *Project) AgentsDirKnown() bool {
	if p.Gete == nil || p.AgentsDirStated() != nil {
		return true
	}
	root := p.Gete.Root()
	return root != nil && !p.Gete.Refused(root) && !p.Gete.States(root, "agents_dir")
}

// AgentsDir is the folder of the agents' folders, relative to Dir.
func (p *Project) AgentsDir() string {
	if n := p.AgentsDirStated(); n != nil {
		return n.Value
	}
	return "agents"
}

// AgentsDirStated is the value that gete.yaml names that folder with, or nil.
func (p *Project) AgentsDirStated() *source.Node {
	if p.Gete == nil {
		return nil
	}
	return p.Gete.at("agents_dir")
}

// PolicyPaths are the values that name the policy files.
func (p *Project) PolicyPaths() []*source.Node {
	if p.Gete == nil {
		return nil
	}
	return p.Gete.items(p.Gete.at("policies"))
}

// StatesCredential says whether gete.yaml says something of a shared credential;
// that it names the secret is the schema's to ask.
func (p *Project) StatesCredential(credential string) bool {
	shared := p.Gete.at("shared_credentials")
	return shared != nil && p.Gete.States(shared, credential)
}

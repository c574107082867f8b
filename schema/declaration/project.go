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
	return root != nil && !p.Gete.Refused(root) && (p.Gete.at("connections") != nil || !p.Gete.States(root, "connections"))
}

// Own are the connections that gete.yaml declares, in its order.
func (p *Project) Own() []*Connection {
	if p.Gete == nil || p.Gete.at("connections") == nil {
		return nil
	}
	var own []*Connection
	for _, f := range p.Gete.at("connections").Fields {
		own = append(own, p.Registry[f.Key.Value])
	}
	return own
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

// StatesCredential says whether gete.yaml has a secret for a shared credential.
func (p *Project) StatesCredential(credential string) bool {
	shared := p.Gete.at("shared_credentials")
	if shared == nil {
		return false
	}
	entry := shared.Get(credential)
	return entry != nil && (p.Gete.Faulty(entry) || entry.Get("token_secret") != nil)
}

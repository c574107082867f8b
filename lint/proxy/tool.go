package proxy

import (
	"bytes"
	"encoding/json"
	"errors"
	"slices"
	"strings"

	"github.com/gete-lint/gete/lint"
	"github.com/gete-lint/gete/rules/narrow"
	"github.com/gete-lint/gete/schema/declaration"
	"github.com/gete-lint/gete/schema/redact"
)

// A tool is a tool of a block, as its server lists it now.
type tool struct {
	offer    lint.Offer
	upstream *upstream
	listed   json.RawMessage // as clients are shown it; nil where it is withheld
	judge    *narrow.Judge   // nil where its schema is none to judge with, as its server then does
}

// onlyAsTask is why a tool is withheld that plain calls do not reach (MCP specification
// 2025-11-25, tasks, "Tool-Level Negotiation").
const onlyAsTask = "it runs only as a task, which a proxy does not pass on"

func newTool(u *upstream, b *declaration.MCP, offer lint.Offer) (*tool, error) {
	t := &tool{offer: offer, upstream: u}
	if len(offer.Withheld) > 0 {
		return t, nil
	}
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(offer.Listed.Raw, &fields); err != nil {
		return nil, errors.New("is nested too deep")
	}
	var execution struct{ TaskSupport string }
	// Where it is no such object, it says nothing.
	if _ = json.Unmarshal(fields["execution"], &execution); execution.TaskSupport == "required" {
		t.withhold(onlyAsTask)
		return t, nil
	}
	delete(fields, "execution")
	schema := offer.Schema
	if _, ok := schema["type"]; !ok {
		schema["type"] = "object" // which MCP has it be, and clients insist on
	}
	if judge, err := narrow.NewJudge(schema); err == nil {
		t.judge = judge
	}
	for name, value := range map[string]any{
		"inputSchema": schema,
		"description": description(offer.Listed.Description, b),
		"annotations": annotations(fields["annotations"], b),
	} {
		raw, err := encode(value)
		if err != nil {
			return nil, err
		}
		if fields[name] = raw; string(raw) == "null" || string(raw) == `""` {
			delete(fields, name)
		}
	}
	var err error
	t.listed, err = encode(fields)
	return t, err
}

// withhold makes the tool one that is not offered.
func (t *tool) withhold(why string) {
	t.offer.Withheld = []string{why}
	t.offer.Schema, t.offer.Writable, t.offer.Fixed = nil, nil, nil
}

// description is the server's, with what the block's does_not says.
func description(text string, b *declaration.MCP) string {
	if b.DoesNot == nil || b.DoesNot.Value == "" {
		return text
	}
	return strings.TrimSpace(text + "\n\n" + b.DoesNot.Value)
}

// annotations are the server's, but a block that writes claims of no tool that it only
// reads.
func annotations(raw json.RawMessage, b *declaration.MCP) any {
	var hints map[string]json.RawMessage
	if json.Unmarshal(raw, &hints) != nil || hints == nil {
		return nil
	}
	if _, ok := hints["readOnlyHint"]; ok && b.Writes {
		hints["readOnlyHint"] = json.RawMessage("false")
	}
	return hints
}

// encode is the JSON of a value, with its text as it is.
func encode(value any) (json.RawMessage, error) {
	var text bytes.Buffer
	e := json.NewEncoder(&text)
	e.SetEscapeHTML(false)
	if err := e.Encode(value); err != nil {
		return nil, err
	}
	return bytes.TrimSpace(text.Bytes()), nil
}

// arguments are what is sent of the arguments that a client wrote, and the names of those
// that are dropped and of those that are set, sorted. Written and sent are JSON objects;
// why says what is wrong with what is written.
func (t *tool) arguments(written json.RawMessage) (sent json.RawMessage, dropped, set []string, why string) {
	if len(written) > maxArguments {
		return nil, nil, nil, "the arguments are over the limit of 16 MiB"
	}
	args, why := narrow.Arguments(written)
	if why != "" {
		return nil, nil, nil, "the arguments " + why
	}
	for name := range args {
		if !t.offer.Declared.Writable(name) || t.looksFixed(name) {
			delete(args, name)
			dropped = append(dropped, name)
		}
	}
	slices.Sort(dropped)
	if why := t.judge.Refuses(args); why != "" {
		return nil, dropped, nil, why
	}
	for name, value := range t.offer.Declared.Fixed {
		args[name] = value
		set = append(set, name)
	}
	slices.Sort(set)
	sent, err := encode(args)
	if err != nil {
		return nil, dropped, set, "the arguments cannot be sent: " + err.Error()
	}
	return sent, dropped, set, ""
}

// looksFixed says whether a name is that of a fixed argument but for its case, and not one
// that the tool declares: a server that does not mind case would take it for the fixed one.
func (t *tool) looksFixed(name string) bool {
	if slices.Contains(t.offer.Writable, name) {
		return false
	}
	for fixed := range t.offer.Declared.Fixed {
		if strings.EqualFold(fixed, name) {
			return true
		}
	}
	return false
}

// maxArguments bounds the arguments of a call, in bytes.
const maxArguments = 16 << 20

// shown is a name from elsewhere, fit for a log: on one line, and not long.
func shown(name string) string {
	const most = 80
	if runes := []rune(name); len(runes) > most {
		name = string(runes[:most-1]) + "…"
	}
	return redact.Name(name)
}

func allShown(names []string) []string {
	const most = 20
	list := make([]string, 0, min(len(names), most+1))
	for i, name := range names {
		if i == most {
			list = append(list, "…")
			break
		}
		list = append(list, shown(name))
	}
	return list
}

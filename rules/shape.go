package rules

import (
	"fmt"

	"github.com/gete-lint/gete/schema"
	"github.com/gete-lint/gete/schema/declaration"
)

func shape() []Rule {
	return []Rule{
		{ID: "schema-unknown-key", Severity: Error, Summary: "A map has a key that it does not know.", Document: violations(schema.UnknownKey)},
		{ID: "schema-missing-key", Severity: Error, Summary: "A map lacks a required key.", Document: violations(schema.MissingKey)},
		{ID: "schema-one-of", Severity: Error, Summary: "A map has two keys that exclude each other.", Document: violations(schema.OneOf), Project: eachSound(mergedOneOf)},
		{ID: "schema-type", Severity: Error, Summary: "A value is of another type than its key takes.", Document: violations(schema.Type)},
		{ID: "schema-empty", Severity: Error, Summary: "A list, map or string is empty and must not be.", Document: violations(schema.Empty)},
		{ID: "schema-duplicate", Severity: Error, Summary: "A list names an item twice.", Document: violations(schema.Duplicate)},
		{ID: "schema-value", Severity: Error, Summary: "A value is not one that its key takes.", Document: violations(schema.Value)},
	}
}

// mergedOneOf reports a connection that gives a shipped one the other way to get
// a token: the registry would have both.
func mergedOneOf(p *Pass, c *declaration.Connection) {
	mergedBeside(p, c, "oauth", "app")
	mergedBeside(p, c, "app", "oauth")
}

func mergedBeside(p *Pass, c *declaration.Connection, own, shipped string) {
	if key := keyIn(c.Own, own); key != nil && c.Get(shipped) != nil && c.Own.Get(shipped) == nil {
		p.Report(Finding{
			At: key, Message: fmt.Sprintf("`%s` cannot stand beside `%s`, which the `%s` that ships with gete has", own, shipped, c.ID),
			Help: "declare a connection of another id",
		})
	}
}

// violations reports what the schema found of one kind.
func violations(code schema.Code) func(*Pass, *declaration.Document) {
	return func(p *Pass, d *declaration.Document) {
		for _, v := range d.Violations() {
			if v.Code == code {
				f := Finding{At: v.Node, Message: v.Message, Label: v.Label, Help: v.Help, Related: v.Related, Note: v.Note}
				f.Suggest(v.Meant, Backquoted)
				switch {
				case v.Unquoted:
					f.Fix = quote(v.Node)
				case code == schema.Duplicate:
					f.Fix = remove(v.Node)
				}
				p.Report(f)
			}
		}
	}
}

package openapi

// OpenWhole is Open without laziness: the text is parsed whole.
func OpenWhole(path, text string) (*Description, error) { return open(path, text, false) }

// Sliced says whether no more than parts of the text were parsed so far.
func (d *Description) Sliced() bool { return d.tree.scan != nil && d.tree.broken == nil }

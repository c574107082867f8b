package source

// A tokenKind is one of the tokens of a YAML stream. Block collections have no
// brackets in the text; the scanner makes their begin and end from indentation.
type tokenKind uint8

const (
	streamEnd tokenKind = iota
	directive
	documentStart
	documentEnd
	blockSequenceStart
	blockMappingStart
	blockEnd
	flowSequenceStart
	flowSequenceEnd
	flowMappingStart
	flowMappingEnd
	blockEntry
	flowEntry
	keyToken
	valueToken
	aliasToken
	anchorToken
	tagToken
	scalarToken
)

// A token is a piece of the text and what it is.
type token struct {
	kind       tokenKind
	style      Style
	start, end int
	value      string // a scalar's value; the name of an anchor, alias or tag
}

// A bailout carries the fault that ends a parse from the place that meets it
// to Parse, which recovers it; nothing else is recovered.
type bailout struct{ fault Fault }

// fail ends the parse.
func fail(start, end int, message, help string) {
	panic(bailout{Fault{Code: Syntax, Start: start, End: end, Message: message, Help: help}})
}

package lint

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/google/renameio/v2/maybe"
)

// WriteFile writes a file whole or not at all. One that is there keeps its
// permissions, and is not written where those forbid it; a link stays one, and a
// device or a pipe is written to, not replaced. The error does not name the file, nor
// the temporary one that is written first.
func WriteFile(path string, text []byte) error {
	if target, err := filepath.EvalSymlinks(path); err == nil {
		path = target
	}
	mode := fs.FileMode(0o644)
	switch info, err := os.Stat(path); {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return reason(err)
	case info.IsDir():
		return errors.New("it is a folder")
	case !info.Mode().IsRegular():
		return reason(os.WriteFile(path, text, mode))
	case info.Mode().Perm()&0o200 == 0:
		return errors.New("it is read-only") // a new file in its place would not be
	default:
		mode = info.Mode().Perm()
	}
	return reason(maybe.WriteFile(path, text, mode))
}

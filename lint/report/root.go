package report

import (
	"os"
	"path/filepath"
)

// rootOf is the folder that whoever shows a report beside the code counts its
// paths from: the workspace of a GitHub job, else the root of the git work
// tree, else the working folder.
func rootOf(o Options) string {
	if o.Getenv != nil {
		if workspace := o.Getenv("GITHUB_WORKSPACE"); filepath.IsAbs(workspace) {
			return workspace
		}
	}
	for dir := o.Dir; ; {
		// In a linked work tree or a submodule it is a file.
		if _, err := os.Lstat(filepath.Join(dir, ".git")); err == nil {
			return dir
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return o.Dir
		}
		dir = parent
	}
}

// fromRoot is a path that starts from dir as it starts from root, with slashes,
// and absolute where it lies outside.
func fromRoot(root, dir, path string) string {
	absolute := filepath.FromSlash(path)
	if !filepath.IsAbs(absolute) {
		absolute = filepath.Join(dir, absolute)
	}
	if relative, ok := below(root, absolute); ok {
		return filepath.ToSlash(relative)
	}
	// One of the two may be named by way of a link.
	if relative, ok := below(resolved(root), filepath.Join(resolved(filepath.Dir(absolute)), filepath.Base(absolute))); ok {
		return filepath.ToSlash(relative)
	}
	return filepath.ToSlash(absolute)
}

func below(root, path string) (string, bool) {
	relative, err := filepath.Rel(root, path)
	return relative, err == nil && filepath.IsLocal(relative)
}

func resolved(path string) string {
	if target, err := filepath.EvalSymlinks(path); err == nil {
		return target
	}
	return path
}

#!/usr/bin/env bash
# usage: action.sh install|validate
# The two steps of action.yml, which says what each GETE_ variable holds.
set -euo pipefail

# Builds gete, and puts it in the PATH of the steps that follow.
install() {
  export GOBIN="$RUNNER_TEMP/gete-bin" GOFLAGS='' GOWORK=off CGO_ENABLED=0
  if [ -n "$GETE_VERSION" ]; then
    go install -trimpath "github.com/gete-lint/gete@$GETE_VERSION"
  else
    (cd "$GETE_SOURCE" && go install -trimpath -buildvcs=false .)
  fi
  echo "$GOBIN" >>"$GITHUB_PATH"
  "$GOBIN/gete" version
}

# The lines of a text that are not empty, into the array lines.
split() {
  local line
  lines=()
  while IFS= read -r line || [ -n "$line" ]; do
    line=${line%$'\r'}
    if [ -n "$line" ]; then lines+=("$line"); fi
  done <<<"$1"
}

validate() {
  local args=("--format=$GETE_FORMAT") lines
  case $GETE_FORMAT in
    # These have no annotations of their own: the runner makes them out of the log.
    text | compact) echo "::add-matcher::$GETE_SOURCE/.github/gete-matcher.json" ;;
  esac
  if [ -n "$GETE_SARIF_FILE" ]; then args+=("--format=sarif=$GETE_SARIF_FILE"); fi
  case $GETE_LIVE in
    true) args+=(--live) ;;
    false | "") ;;
    *)
      echo "::error::The input live is \"$GETE_LIVE\"; expected true or false."
      exit 2
      ;;
  esac
  split "$GETE_ARGS"
  args+=(${lines[@]+"${lines[@]}"})
  split "$GETE_PATHS"
  exec gete validate "${args[@]}" -- ${lines[@]+"${lines[@]}"}
}

case ${1-} in
  install | validate) "$1" ;;
  *)
    echo "usage: action.sh install|validate" >&2
    exit 2
    ;;
esac

#!/bin/sh
# Written by `cagr install-git-hooks`: checks with cagr in every checkout of this repository, also at a commit that has no
# @FOLDER@, then runs the hook that was here before.
case $0 in */*) here=${0%/*} ;; *) here=. ;; esac
name=@HOOK@
# Git sends the list of refs of a push once, so it is kept for every reader.
[ "$name" != pre-push ] || refs=$(cat)
run() {
  if [ "$name" != pre-push ]; then
    "$@"
  elif [ -n "$refs" ]; then
    printf '%s\n' "$refs" | "$@"
  else
    "$@" </dev/null
  fi
}
# Git starts hooks at the top of the work tree.
cagr="./@FOLDER@/cagr"
[ -f "$cagr" ] || cagr=$here/cagr
if [ -f "$cagr" ]; then
  run sh "$cagr" git-hook "$name" "$@" --in "$PWD" --stop 9
  status=$?
  case $status in
    0) ;;
    # A program that breaks ends with 1 too, so cagr stops git with a number of its own.
    9) exit 1 ;;
    130 | 143) exit "$status" ;;
    *) echo "cagr: the $name hook did not run. It ended with exit code $status." >&2 ;;
  esac
else
  echo "cagr: the $name hook did not run. $here/cagr is missing; \`cagr install-git-hooks\` writes it." >&2
fi
for hook in "./@FOLDER@/$name.before-cagr" "$here/$name.before-cagr"; do
  [ -x "$hook" ] || continue
  # Where pre-commit runs this hook as the one before its own, an older copy of its own must not start again.
  if [ -n "${PRE_COMMIT_RUNNING_LEGACY-}" ] && grep -q pre-commit "$hook"; then continue; fi
  run "$hook" "$@" || exit
done
exit 0

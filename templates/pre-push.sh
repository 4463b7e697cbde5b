#!/bin/sh
# Written by `cagr sync`: checks what is pushed, then runs the hook that was here before, if there was one.
case $0 in */*) here=${0%/*} ;; *) here=. ;; esac
# Git sends the list of refs once, so it is kept for each of the two.
refs=$(cat)
replay() { [ -z "$refs" ] || printf '%s\n' "$refs"; }
if [ -f "$here/cagr" ]; then
  replay | sh "$here/cagr" git-hook pre-push "$@" --in "$PWD" --stop 9
  status=$?
  case $status in
    0) ;;
    # A program that breaks ends with 1 too, so cagr stops git with a number of its own.
    9) exit 1 ;;
    130 | 143) exit "$status" ;;
    *) echo "cagr: the pre-push hook did not run. It ended with exit code $status." >&2 ;;
  esac
else
  echo "cagr: the pre-push hook did not run. $here/cagr is missing; \`cagr sync\` writes it." >&2
fi
[ -x "$here/pre-push.before-cagr" ] || exit 0
replay | "$here/pre-push.before-cagr" "$@"

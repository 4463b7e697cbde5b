#!/bin/sh
# Written by `cagr sync`: checks the commit message, then runs the hook that was here before, if there was one.
case $0 in */*) here=${0%/*} ;; *) here=. ;; esac
case $1 in /*) file=$1 ;; *) file=$PWD/$1 ;; esac
if [ -f "$here/cagr" ]; then
  sh "$here/cagr" git-hook commit-msg "$file" --in "$PWD" --stop 9
  status=$?
  case $status in
    0) ;;
    # A program that breaks ends with 1 too, so cagr stops git with a number of its own.
    9) exit 1 ;;
    130 | 143) exit "$status" ;;
    *) echo "cagr: the commit-msg hook did not run. It ended with exit code $status." >&2 ;;
  esac
else
  echo "cagr: the commit-msg hook did not run. $here/cagr is missing; \`cagr sync\` writes it." >&2
fi
[ -x "$here/commit-msg.before-cagr" ] || exit 0
exec "$here/commit-msg.before-cagr" "$@"

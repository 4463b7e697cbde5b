#!/bin/sh
# Written by `cagr install-git-hooks`: runs the committed hook of this checkout, then the hook that was here before.
case $0 in */*) here=${0%/*} ;; *) here=. ;; esac
name=${0##*/}
# Git sends the list of refs once, so it is kept for each of the two.
[ "$name" != pre-push ] || refs=$(cat)
replay() { [ -z "${refs-}" ] || printf '%s\n' "$refs"; }
# Git starts hooks at the top of the work tree.
for hook in "./@FOLDER@/$name" "$here/$name.before-cagr"; do
  [ -x "$hook" ] || continue
  if [ "$name" = pre-push ]; then replay | "$hook" "$@"; else "$hook" "$@"; fi || exit
done
exit 0

#!/bin/sh
# Written by `cagr sync`: finds cagr on this machine and starts it, for the agents' hooks and for the git hooks.
# Looked at in this order: this checkout's packages, the PATH, the main checkout's packages of a linked worktree.

# These make the executable behave as its runtime, or let a `cd` go elsewhere.
unset BUN_OPTIONS BUN_BE_BUN BUN_INSPECT CDPATH
case $0 in */*) here=${0%/*} ;; *) here=. ;; esac
cd "$here/@UP@" 2>/dev/null || exit 0
top=$PWD
problem='cagr is not installed'

# An agent that was not started from a terminal has no login PATH.
home=${HOME-}
PATH=${PATH:-/usr/bin:/bin}:$home/.local/bin:$home/.bun/bin:$home/.local/share/pnpm:$home/Library/pnpm:$home/.volta/bin
PATH=$PATH:$home/.local/share/mise/shims:$home/.asdf/shims:/opt/homebrew/bin:/usr/local/bin
export PATH

case ${OSTYPE-} in
  msys* | cygwin*) system=win32 ;;
  *) if [ -d /System/Library ]; then system=darwin; else system=linux; fi ;;
esac

find_node() {
  if ! command -v node >/dev/null; then
    newest=
    for folder in "${NVM_DIR:-$home/.nvm}"/versions/node/v[2-9][0-9].*/bin \
      "$home/Library/Application Support/fnm/aliases/default/bin" "${FNM_DIR:-$home/.local/share/fnm}/aliases/default/bin"; do
      [ -x "$folder/node" ] && newest=$folder
    done
    [ -n "$newest" ] || return
    PATH=$PATH:$newest
  fi
  # A debugger would wait in every hook; cagr gives the options back to the programs that it starts.
  [ -z "${NODE_OPTIONS-}" ] || export CAGR_NODE_OPTIONS="$NODE_OPTIONS"
  unset NODE_OPTIONS
}

# The executable of a package, or else its program for Node.
start_package() { # FOLDER ARGUMENTS...
  package=$1
  shift
  [ -d "$package" ] || return
  for program in "$package/../@cagr/$system"-*/cagr "${package%/*}/@cagr/$system"-*/cagr "$package/node_modules/@cagr/$system"-*/cagr; do
    case $program in *-x64/cagr | *-arm64/cagr) ;; *) continue ;; esac
    [ -x "$program" ] && [ -s "$program" ] && fits "$program" && exec "$program" "$@"
  done
  [ -f "$package/dist/bin.cjs" ] || return
  find_node && exec node "$package/dist/bin.cjs" "$@"
  problem='cagr finds no Node.js to start with'
}

# Whether the executable of a package can run here. On Linux the loader that it names has to be there, which it is not
# for another processor or another libc; on NixOS and Alpine one may be there that only says no.
fits() {
  if [ $system = linux ]; then
    case $1 in *-x64/cagr) loader=/lib64/ld-linux-x86-64.so.2 ;; *) loader=/lib/ld-linux-aarch64.so.1 ;; esac
    [ -e $loader ] && [ ! -e /etc/NIXOS ] && [ ! -e /etc/alpine-release ] || return 1
  fi
  # Where packages for several kinds of processor are installed, the name of the right one ends in this machine's.
  set -- "$1" "${1%-*}"-*/cagr
  [ $# -le 2 ] && return
  case $(uname -m) in
    arm64 | aarch64) case $1 in *-arm64/cagr) return 0 ;; esac ;;
    *) case $1 in *-x64/cagr) return 0 ;; esac ;;
  esac
  return 1
}

start_package "$top/node_modules/cagr" "$@"

if cagr=$(command -v cagr) && [ ! "$cagr" -ef "$top/@LAUNCHER@" ]; then
  # A global install links its program into a package (npm, bun), beside which the executable stands, or into another
  # folder of programs (yarn), or has its packages below the folder of its script (pnpm).
  if [ -h "$cagr" ]; then
    target=$(readlink "$cagr")
    case $target in /*) ;; *) target=${cagr%/*}/$target ;; esac
    case $target in
      */node_modules/cagr/dist/bin.cjs) start_package "${target%/dist/bin.cjs}" "$@" ;;
      */node_modules/.bin/cagr) start_package "${target%/.bin/cagr}/cagr" "$@" ;;
    esac
  else
    for package in "${cagr%/*}"/global/[0-9]*/node_modules/cagr; do start_package "$package" "$@"; done
  fi
  # Where Node.js is missing, only an executable can start.
  start=
  IFS= read -r start <"$cagr"
  case $start in '#!'*) find_node && exec "$cagr" "$@" ;; *) exec "$cagr" "$@" ;; esac
  problem='cagr finds no Node.js to start with'
fi

if [ -f "$top/.git" ] && read -r line <"$top/.git"; then
  common=${line#gitdir: }
  case $common in
    /* | ?:*) ;;
    *) common=$top/$common ;;
  esac
  case $common in */worktrees/*) start_package "${common%/worktrees/*}/../node_modules/cagr" "$@" ;; esac
fi

# Nothing to start: say so where somebody reads it, and let the work go on.
case ${1-} in
  hook)
    case ${2-} in
      session.start) echo "$problem here, so the rules of this repo are not checked. Tell the person to install the packages of the repo, or cagr itself." ;;
      turn.end) echo "{\"systemMessage\":\"$problem here, so nothing was checked. Install the packages of the repo, or cagr itself.\"}" ;;
    esac
    ;;
  git-hook) echo "$problem: the ${2-} hook checked nothing." >&2 ;;
esac
exit 0

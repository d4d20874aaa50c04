#!/bin/sh
# Installs Pith @VERSION@ as a single program that needs no Node:
#
#   sh install.sh            into ~/.local/bin
#   sh install.sh FOLDER     into another folder
#
# PITH_FROM=ADDRESS takes the files from another address. Nothing is unpacked or run before its checksum, which is in this
# script, is the right one.
set -eu

version='@VERSION@'
from="${PITH_FROM:-@FROM@}"
sums='@SUMS@'

fail() {
  echo "pith: $1" >&2
  exit 1
}

main() {
  folder="${1:-$HOME/.local/bin}"
  name="pith-$version-$(system).gz"
  expected=$(echo "$sums" | awk -v name="$name" '$2 == name { print $1 }')
  [ -n "$expected" ] || fail "this release has no $name. With Node: npm install --global pith"
  [ -n "$from" ] || fail 'say where its files are: PITH_FROM=https://HOST/FOLDER'
  mkdir -p "$folder"
  work=$(mktemp -d "$folder/.pith-XXXXXX")
  trap 'rm -rf "$work"' EXIT
  trap 'exit 1' HUP INT TERM
  download "$from/$name" "$work/$name"
  found=$(checksum "$work/$name")
  [ "$found" = "$expected" ] || fail "the checksum of $from/$name is not that of the release, so nothing was installed.
  expected $expected
  found    $found"
  gunzip "$work/$name"
  chmod 755 "$work/${name%.gz}"
  "$work/${name%.gz}" --version >/dev/null || fail 'it does not start on this system, so nothing was installed'
  mv -f "$work/${name%.gz}" "$folder/pith"
  echo "Pith $version is installed: $folder/pith"
  case ":$PATH:" in
    *":$folder:"*) ;;
    *) echo "$folder is not on your PATH yet." ;;
  esac
}

system() {
  case "$(uname -s)" in
    Linux) os=linux ;;
    Darwin) os=darwin ;;
    *) os=$(uname -s) ;;
  esac
  case "$(uname -m)" in
    x86_64 | amd64) machine=x64 ;;
    aarch64 | arm64) machine=arm64 ;;
    *) machine=$(uname -m) ;;
  esac
  echo "$os-$machine"
}

download() {
  if command -v curl >/dev/null; then curl -fsSL --output "$2" "$1" || fail "$1 cannot be downloaded"
  elif command -v wget >/dev/null; then wget -q -O "$2" "$1" || fail "$1 cannot be downloaded"
  else fail 'curl or wget is needed'
  fi
}

checksum() {
  if command -v sha256sum >/dev/null; then sha256sum "$1" | cut -d ' ' -f 1
  elif command -v shasum >/dev/null; then shasum -a 256 "$1" | cut -d ' ' -f 1
  else fail 'sha256sum or shasum is needed to check the file'
  fi
}

# At the end, so that a script which arrived only in part does nothing.
main "$@"

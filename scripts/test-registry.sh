#!/bin/sh
# Unpacks Debian's docker-registry for the tests. It is not installed, because the package would start a service.
set -eu
cd "$(dirname "$0")/../node_modules"
folder=.cache/docker-registry
[ ! -x $folder/usr/bin/docker-registry ] || exit 0
rm -rf $folder && mkdir -p $folder
cd $folder
# Unsandboxed: the user _apt cannot write here.
fetch() { apt-get -qq -o APT::Sandbox::User=root download docker-registry; }
fetch 2>/dev/null || { apt-get -qq update && fetch; }
dpkg -x docker-registry_*.deb .

#!/usr/bin/env bash
# The .deb of scripts/package installs on a bare Debian 12 with what it depends on, runs there, and
# leaves nothing behind when it is removed. Needs root, debootstrap and the package sources of this
# machine. DEBIAN_BASE may name the folder of a bare Debian 12 that is there already.
set -euo pipefail
[ "$(id -u)" = 0 ] || { echo "deb_installs: skipped, not root"; exit 77; }
command -v debootstrap >/dev/null || { echo "deb_installs: skipped, no debootstrap"; exit 77; }
cd "${SOURCE_DIR:?}"
work=$(mktemp -d)
trap 'umount -l "$work/root/proc" 2>/dev/null || true; rm -rf --one-file-system "$work"' EXIT
scripts/package
if [ -n "${DEBIAN_BASE:-}" ]; then
    cp -a --reflink=auto "$DEBIAN_BASE" "$work/root"
else
    mirror=$(sed -n 's/^URIs: *//p' /etc/apt/sources.list.d/debian.sources | head -n 1)
    debootstrap --variant=minbase bookworm "$work/root" "$mirror" >"$work/log" 2>&1 ||
        { tail "$work/log" >&2; exit 1; }
    rm -rf "$work/root/etc/apt/sources.list"*
    cp -r /etc/apt/sources.list.d /etc/apt/apt.conf.d "$work/root/etc/apt/"
    [ ! -d /etc/apt/auth.conf.d ] || cp -r /etc/apt/auth.conf.d "$work/root/etc/apt/"
    cp /etc/resolv.conf /etc/hosts "$work/root/etc/"
fi
cp build/hindcast_*.deb "$work/root/root/hindcast.deb"
cp data/samples/trace-slow-worker.parquet data/samples/meta-slow-worker.yaml "$work/root/root/"
mount -t proc proc "$work/root/proc"
bare() {
    chroot "$work/root" /usr/bin/env -i HOME=/root PATH=/usr/sbin:/usr/bin:/sbin:/bin LANG=C.UTF-8 \
        DEBIAN_FRONTEND=noninteractive bash -euo pipefail -c "cd /root && $1"
}
bare 'apt-get update -qq && apt-get install -y -qq --no-install-recommends ./hindcast.deb' >"$work/log" 2>&1 ||
    { tail "$work/log" >&2; exit 1; }
bare 'hindcast --version'
bare 'hindcast ingest -q -o - -a archive trace-slow-worker.parquet && hindcast whatif -a archive slow-worker' |
    grep 'STRAGGLING'
bare 'source /usr/share/bash-completion/completions/hindcast; complete -p hindcast'
bare 'dpkg -L hindcast | grep -c man1/' | grep -qx '[1-9][0-9]*' ||
    echo "deb_installs: no manual pages (minbase systems leave them out of what they unpack)"
bare 'apt-get remove -y -qq hindcast' >/dev/null 2>&1
bare '! command -v hindcast'

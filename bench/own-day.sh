#!/bin/bash
# A whole day of an ordinary Linux host, in well under an hour: bench/own-day.sh FOLDER [HOURS]
#
# Installs Debian into FOLDER/root (once), makes a disk of it, and runs that under qemu's software emulation with a clock that counts instructions
# and jumps while the guest idles. The guest lives bench/own-day-guest.sh for HOURS (26 unless told) of its own time and powers itself off; its
# journal is then in FOLDER/journal, for bench/own-logs.ts. By hand and as root, with debootstrap, qemu-system-x86_64 and e2fsprogs; no loop
# device, no KVM and no network of the guest are wanted. START (UTC) is the guest's date, SEED what its people happen to do.
set -euo pipefail

folder=${1:?usage: bench/own-day.sh FOLDER [HOURS]}
hours=${2:-26}
start=${START:-2026-11-19T05:30:00}
seed=${SEED:-9}
suite=trixie
here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$folder"
folder=$(cd "$folder" && pwd)
root=$folder/root

packages=systemd,systemd-sysv,dbus,udev,kmod,libpam-systemd,procps,iproute2,passwd,adduser,sudo,cron,logrotate,openssh-server,openssh-client
packages+=,nginx-light,curl,unattended-upgrades,initramfs-tools,linux-image-cloud-amd64
if [ ! -e "$folder/root.made" ]; then
  rm -rf "$root"
  debootstrap --variant=minbase "--include=$packages" "$suite" "$root" http://deb.debian.org/debian
  touch "$folder/root.made"
fi

# A package of the house in two versions, with a service and an account of its own, in a repository that apt reads from the disk.
package() {
  local version=$1 tree
  tree=$(mktemp -d)
  chmod 755 "$tree"
  mkdir -p "$tree/DEBIAN" "$tree/lib/systemd/system" "$tree/usr/bin"
  printf '%s\n' 'Package: house-notes' "Version: $version" 'Architecture: all' 'Maintainer: House <root@localhost>' 'Depends: adduser' \
    'Description: notes how full the disks are' >"$tree/DEBIAN/control"
  printf '%s\n' '#!/bin/sh' 'set -e' '[ "$1" = configure ] || exit 0' \
    'adduser --system --group --no-create-home --home /nonexistent --quiet house-notes' 'systemctl daemon-reload' \
    'systemctl enable --quiet house-notes' 'systemctl restart house-notes' >"$tree/DEBIAN/postinst"
  printf '%s\n' '#!/bin/sh' 'set -e' '[ "$1" != remove ] || systemctl disable --now --quiet house-notes' >"$tree/DEBIAN/prerm"
  printf '%s\n' '#!/bin/sh' 'while :; do df -h / | tail -1; sleep 3600; done' >"$tree/usr/bin/house-notes"
  printf '%s\n' '[Unit]' 'Description=Notes of the house' '[Service]' 'User=house-notes' 'ExecStart=/usr/bin/house-notes' '[Install]' \
    'WantedBy=multi-user.target' >"$tree/lib/systemd/system/house-notes.service"
  chmod 755 "$tree/DEBIAN/postinst" "$tree/DEBIAN/prerm" "$tree/usr/bin/house-notes"
  dpkg-deb --root-owner-group --build "$tree" "$root/srv/packages/house-notes_${version}_all.deb" >"$folder/packages.out"
  rm -r "$tree"
}

rm -rf "$root/srv/packages" "$root/var/log/journal"
mkdir -p "$root/srv/packages" "$root/var/log/journal"
package 1.0
package 1.1
for deb in "$root"/srv/packages/*.deb; do
  dpkg-deb -f "$deb"
  printf 'Filename: ./%s\nSize: %s\nSHA256: %s\n\n' "$(basename "$deb")" "$(stat -c %s "$deb")" "$(sha256sum "$deb" | cut -d' ' -f1)"
done >"$root/srv/packages/Packages"
echo 'deb [trusted=yes] file:/srv/packages ./' >"$root/etc/apt/sources.list"

# The people: two administrators, one of them with a key, two others, and the account that fetches backups.
echo house-1 >"$root/etc/hostname"
printf '127.0.0.1 localhost\n127.0.1.1 house-1\n' >"$root/etc/hosts"
echo '/dev/vda / ext4 noatime,commit=300 0 1' >"$root/etc/fstab"
head -c 16 /dev/urandom | od -An -tx1 | tr -d ' \n' >"$root/etc/machine-id"
# What an emulated processor is slow at is left out: dear hashes of passwords, and a manager that starts with each login of an administrator.
sed -i 's/yescrypt/sha512/' "$root/etc/pam.d/common-password"
mkdir -p "$root/var/lib/systemd/linger"
touch "$root/var/lib/systemd/linger/alice" "$root/var/lib/systemd/linger/bob"
for user in alice bob carol dave backupper; do
  chroot "$root" id "$user" >"$folder/users.out" 2>&1 || chroot "$root" useradd --create-home --shell /bin/bash "$user"
  echo "$user:right-$user" | chroot "$root" chpasswd
done
chroot "$root" usermod --append --groups sudo alice
chroot "$root" usermod --append --groups sudo bob
mkdir -p "$root/root/.ssh"
[ -e "$root/root/.ssh/id_ed25519" ] || ssh-keygen -q -t ed25519 -N '' -f "$root/root/.ssh/id_ed25519"
for user in alice backupper; do
  mkdir -p "$root/home/$user/.ssh"
  cp "$root/root/.ssh/id_ed25519.pub" "$root/home/$user/.ssh/authorized_keys"
  chroot "$root" chown -R "$user:$user" "/home/$user/.ssh"
done

# The host: a web server whose accesses go to the journal as well, cron jobs, a timer whose service fails at times, and the day itself.
cat >"$root/etc/nginx/conf.d/journal.conf" <<'END'
access_log /var/log/nginx/all.log;
access_log syslog:server=unix:/dev/log,nohostname,tag=nginx combined;
END
sed -i 's/^\(\s*\)access_log .*/\1# accesses: conf.d/' "$root/etc/nginx/nginx.conf"
for page in index about prices contact; do echo "<h1>$page</h1>" >"$root/var/www/html/$page.html"; done
cat >"$root/etc/cron.d/house" <<'END'
*/10 * * * * root test -e /run/nginx.pid
17 * * * * www-data find /var/www/html -newer /etc/hostname | wc -l > /tmp/pages
40 2 * * * root tar -czf /var/backups/etc.tar.gz -C / etc
END
printf '%s\n' '[Unit]' 'Description=Looks for mail' '[Service]' 'Type=oneshot' 'ExecStart=/bin/sh -c "test $(( $(date +%%-H) %% 7 )) -ne 3"' \
  >"$root/etc/systemd/system/house-mail.service"
printf '%s\n' '[Timer]' 'OnCalendar=hourly' 'RandomizedDelaySec=10m' '[Install]' 'WantedBy=timers.target' \
  >"$root/etc/systemd/system/house-mail.timer"
install -m 755 "$here/own-day-guest.sh" "$root/usr/local/sbin/own-day"
printf '%s\n' '[Unit]' 'Description=A day of this host' 'After=multi-user.target' '[Service]' "ExecStart=/usr/local/sbin/own-day $hours $seed" \
  'StandardOutput=file:/dev/ttyS0' 'StandardError=file:/var/lib/own-day.errors' '[Install]' 'WantedBy=multi-user.target' \
  >"$root/etc/systemd/system/own-day.service"
chroot "$root" systemctl enable --quiet own-day.service house-mail.timer nginx.service ssh.service cron.service
chroot "$root" systemctl mask --quiet serial-getty@ttyS0.service getty@tty1.service

kernel=$(ls "$root"/boot/vmlinuz-* | tail -1)
initrd=$(ls "$root"/boot/initrd.img-* | tail -1)
rm -rf "$folder/disk.img" "$folder/journal"
mke2fs -q -t ext4 -d "$root" "$folder/disk.img" 3G

# 2^3 ns an instruction, and no sleep while the guest idles. `tsc=reliable` and no watchdogs: nothing that ticks by itself.
# No `cmpxchg16b`: qemu 7.2 spoils the flags after it now and then, and the guest panics. A guest that panics, or whose init does, ends.
qemu-system-x86_64 -accel tcg -cpu qemu64,cx16=off,+rdrand -smp 1 -m 1G -icount shift=3,sleep=off -rtc "base=$start,clock=vm" -nodefaults -display none -no-reboot \
  -kernel "$kernel" -initrd "$initrd" -drive "file=$folder/disk.img,format=raw,if=virtio,cache=unsafe" -serial "file:$folder/console" \
  -append 'root=/dev/vda rw console=ttyS0 quiet panic=-1 systemd.crash_reboot=1 mitigations=off norandmaps tsc=reliable nowatchdog random.trust_cpu=on'
if ! grep -q '^own-day: over' "$folder/console"; then
  echo "the guest's day did not end: see $folder/console" >&2
  exit 1
fi

debugfs -R "rdump /var/log/journal $folder" "$folder/disk.img"
debugfs -R "dump /var/lib/own-day.errors $folder/errors" "$folder/disk.img"
rm "$folder/disk.img"
echo "node tools/run-ts.mjs bench/own-logs.ts $folder/journal"

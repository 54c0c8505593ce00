import { join } from 'node:path'
import { defineInjection } from './define-injection.ts'
import { makeDisk, whyNoDisk } from './disk.ts'

const volume = '/var/lib/containers/storage/volumes/logstack_data_search/_data'
const disk = '/var/tmp/disk-of-events'

/** Moves search's data onto a disk of their own, which the table of file systems names, as a host has it whose administrator did not read on. */
const moveToDisk = `
  set -e
  if ! grep --quiet ${disk} /etc/fstab; then
    mkdir -p /mnt/events
    systemctl stop logstack-search.service
    mount -o loop ${disk} /mnt/events
    cp --archive ${volume}/. /mnt/events
    chown --reference=${volume} /mnt/events
    chmod --reference=${volume} /mnt/events
    umount /mnt/events
    mv ${volume} ${volume}.before
    install --directory --owner=7001 --group=7001 --mode=700 ${volume}
    echo '${disk} ${volume} auto loop,nofail 0 2' >>/etc/fstab
    mount ${volume}
    systemctl daemon-reload
    systemctl start logstack.service
  fi`

export const diskMissing = defineInjection({
  fault: 'mounts',
  how: 'search is started while a disk that holds its data, and that /etc/fstab names, is not mounted',
  evidence: /no disk is mounted at \S+logstack_data_search/,
  follows: ['restart-loop', 'parts-down'],
  whyNot: whyNoDisk,
  async inject(host) {
    await makeDisk(join(host.root, disk))
    await host.shell(moveToDisk)
    await host.allUp()
    await host.shell(`
      systemctl stop logstack-search.service
      umount ${volume}
      systemctl start --no-block logstack-search.service
      timeout 120 sh -c 'until [ "$(systemctl show --property=NRestarts --value logstack-search.service)" -ge 2 ]; do sleep 0.2; done'
      [ -z "$(ls -A ${volume})" ]`)
  },
  // The data go back to where they were: other injections know that place.
  async restore(host) {
    await host.shell(`
    if grep --quiet ${disk} /etc/fstab; then
      systemctl stop logstack.service
      mountpoint --quiet ${volume} || mount ${volume}
      cp --archive --no-target-directory ${volume} ${volume}.after
      umount ${volume}
      rm -rf ${volume} ${volume}.before
      mv ${volume}.after ${volume}
      rm -rf ${volume}/lost+found
      sed -i '\\#${disk}#d' /etc/fstab
      systemctl daemon-reload
      systemctl reset-failed 'logstack*' || true
      systemctl start logstack.service
    fi`)
    await host.allUp()
  },
})

import { expect, test } from 'vitest'
import { disksMissingUnder, mountedNow, mountsIn, mountsWanted } from './mounts.ts'

// As Linux 6.12 lists them: a disk at a volume, another in it that the kernel made read-only after an error, and one that is so at this place alone.
const mountinfo = [
  '24 1 254:0 / / rw,relatime shared:1 - ext4 /dev/vda1 rw',
  '81 24 8:17 / /srv/volumes/data_search/_data rw,relatime shared:40 - ext4 /dev/sdb1 rw',
  '82 81 8:18 / /srv/volumes/data_search/_data/snapshots rw - ext4 /dev/sdc1 ro,errors=remount-ro',
  '83 24 8:19 / /srv/volumes/data_search_old ro - ext4 /dev/sdd1 rw',
  '84 24 8:20 / /srv/my\\040logs rw - ext4 /dev/sde1 rw',
  '',
].join('\n')

test('what is mounted in a folder is found, the deepest first, and not what lies beside or above it', () => {
  const mounted = mountedNow(mountinfo)
  expect(mountsIn(['/srv/volumes/data_search'], mounted)).toEqual([
    '/srv/volumes/data_search/_data/snapshots',
    '/srv/volumes/data_search/_data',
  ])
  expect(mountsIn(['/srv/my logs', '/srv/volumes/data'], mounted)).toEqual(['/srv/my logs'])
  expect(mountsIn(['/srv/volumes/data_search/_data/segments'], mounted)).toEqual([])
})

test('a mount is read-only by itself, or because its file system is', () => {
  const points = mountedNow(mountinfo).flatMap(({ point, readOnly }) => (readOnly ? [point] : []))
  expect(points).toEqual(['/srv/volumes/data_search/_data/snapshots', '/srv/volumes/data_search_old'])
  expect(mountedNow()).toContainEqual(expect.objectContaining({ point: '/proc' }))
})

test('what is mounted at the start of the host is read from its table', () => {
  const table = [
    '# <file system> <mount point> <type> <options> <dump> <pass>',
    'UUID=0f3c / ext4 errors=remount-ro 0 1',
    '  /dev/sdb1\t/srv/my\\040logs/ auto nofail 0 2',
    '/dev/sdc1 /mnt/usb auto noauto,user 0 0',
    '/dev/sda5 none swap sw 0 0',
    '',
  ].join('\n')
  expect(mountsWanted(table)).toEqual([
    { source: 'UUID=0f3c', point: '/' },
    { source: '/dev/sdb1', point: '/srv/my logs' },
  ])
})

test('a folder lacks the disks that it lies on, and not those that lie in it', () => {
  const disk = { source: '/dev/sdb1', point: '/srv/volumes/data_search/_data' }
  const wanted = [{ source: '/dev/vda1', point: '/' }, disk, { source: 'nas:/a', point: `${disk.point}/snapshots/nas` }]
  const root = { point: '/', readOnly: false }
  expect(disksMissingUnder(disk.point, wanted, [root])).toEqual([disk])
  expect(disksMissingUnder(disk.point, wanted, [root, { point: disk.point, readOnly: false }])).toEqual([])
})

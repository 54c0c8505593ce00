import { expect, test } from 'vitest'
import { judgeMounts } from './mounts.ts'

const data = '/var/lib/containers/storage/volumes/logstack_data_search/_data'
const folders = [data, '/opt/logstack', '/var/log/logstack']
const root = { point: '/', readOnly: false }
const disk = { source: '/dev/sdb1', point: data }

test('a disk of the table that is not mounted is missed where it holds, or lies in, what the stack keeps', () => {
  const var_ = { source: '/dev/sdc1', point: '/var' }
  const others = [
    { source: '/dev/sda1', point: '/' },
    { source: '/dev/sdd1', point: '/srv' },
    { source: '/dev/sde1', point: '/var/lib/containers/storage/volumes/logstack_data_search_old' },
  ]
  const archive = { source: 'nas:/logs', point: `${data}/snapshots` }
  expect(judgeMounts(folders, [...others, var_, disk, archive], [root]).missing).toEqual([var_, disk, archive])
  const mounted = [root, ...[var_, disk, archive].map(({ point }) => ({ point, readOnly: false }))]
  expect(judgeMounts(folders, [...others, var_, disk, archive], mounted)).toEqual({ missing: [], readOnly: [] })
})

test('what cannot be written is found for the file system that a folder lies on, and for what is mounted in it', () => {
  const readOnly = (point: string) => ({ point, readOnly: true })
  expect(judgeMounts(folders, [], [root, readOnly(data), readOnly('/srv')]).readOnly).toEqual([data])
  expect(judgeMounts(folders, [], [readOnly('/opt'), root]).readOnly).toEqual(['/opt'])
  expect(judgeMounts(folders, [], [root, readOnly(`${data}/snapshots`)]).readOnly).toEqual([`${data}/snapshots`])
  // A file system that is read-only, and something that can be written in front of it.
  expect(judgeMounts(folders, [], [readOnly('/'), { point: '/opt', readOnly: false }]).readOnly).toEqual(['/'])
  expect(judgeMounts(folders, [], [root, readOnly(data), { point: data, readOnly: false }]).readOnly).toEqual([])
})

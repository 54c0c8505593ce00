import { describe, expect, it } from 'vitest'
import { recordsOf, type ToldCall } from './audit.testing.ts'
import { AuditEvents } from './audit-events.ts'
import { actorsOf, Deeds, type SeenChange } from './deeds.ts'

const start = 1_763_900_000_000
let serial = 0

/** What audit told of: process, milliseconds behind the start, paths; by a rule of ours unless told. */
function deedsOf(calls: readonly (Pick<ToldCall, 'pid' | 'paths' | 'cwd'> & { at: number; isOwn?: boolean })[]): Deeds {
  const deeds = new Deeds()
  const events = new AuditEvents()
  for (const { at, isOwn = true, ...call } of calls) {
    serial += 1
    for (const line of recordsOf({ serial, time: start + at, cwd: '/etc', key: 'logstack-fim', ...call })) {
      for (const event of events.add(line)) deeds.remember(event, isOwn)
    }
  }
  return deeds
}

const change = (action: SeenChange['action'], path: string, rest: Partial<SeenChange> = {}): SeenChange => ({
  action,
  path,
  inodes: [10],
  happened: start + 1_000,
  since: start,
  seen: start + 1_200,
  ...rest,
})

const pids = (deeds: Deeds, of: SeenChange): number[] => {
  const found = deeds.all(of)
  deeds.tell(found, of)
  return actorsOf(found).map(({ pid }) => pid)
}

describe('who made a change', () => {
  it('is found by the path, or by the inode where the path is beside a descriptor', () => {
    const deeds = deedsOf([
      { pid: 1, at: 990, paths: [['NORMAL', 10, 'hosts']] },
      { pid: 2, at: 991, cwd: '/root', paths: [['DELETE', 11, 'inside']] },
      { pid: 3, at: 992, paths: [['NORMAL', 12]] },
    ])
    expect(pids(deeds, change('updated', '/etc/hosts'))).toEqual([1])
    expect(pids(deeds, change('deleted', '/etc/deep/inside', { inodes: [11], happened: undefined }))).toEqual([2])
    expect(pids(deeds, change('attributes_modified', '/etc/mode', { inodes: [12] }))).toEqual([3])
  })

  it('is not taken from another file, another kind of deed, or another time', () => {
    const deeds = deedsOf([
      { pid: 1, at: 990, paths: [['NORMAL', 99, '/etc/other']] },
      { pid: 2, at: 990, paths: [['DELETE', 10, '/etc/x']] },
      { pid: 3, at: 1_300, paths: [['CREATE', 10, '/etc/x']] },
      { pid: 4, at: -9_500, paths: [['CREATE', 10, '/etc/x']] },
      { pid: 5, at: 990, paths: [['CREATE', 10, '/srv/y']] },
      { pid: 6, at: 995, paths: [['NORMAL', 10]] },
    ])
    expect(pids(deeds, change('created', '/etc/x'))).toEqual([])
    expect(pids(deeds, change('attributes_modified', '/etc/x'))).toEqual([])
  })

  it('of an editor that renames is whoever renamed', () => {
    const rename = [
      ['PARENT', 2, '/etc'],
      ['DELETE', 20, '.hosts.swp'],
      ['DELETE', 10, 'hosts'],
      ['CREATE', 20, 'hosts'],
    ] as const
    const deeds = deedsOf([
      { pid: 5, at: 900, paths: [['CREATE', 20, '.hosts.swp']] },
      { pid: 5, at: 990, paths: rename },
    ])
    const of = change('updated', '/etc/hosts', { inodes: [10, 20] })
    expect(pids(deeds, of)).toEqual([5])
    expect(pids(deeds, change('created', '/etc/.hosts.swp', { inodes: [20] }))).toEqual([5])
  })
})

describe('who made a change of several', () => {
  it('is the last, with the others before it', () => {
    const deeds = deedsOf([
      { pid: 1, at: 900, paths: [['NORMAL', 10, 'hosts']] },
      { pid: 2, at: 950, paths: [['NORMAL', 10, 'hosts']] },
      { pid: 1, at: 980, paths: [['NORMAL', 10, 'hosts']] },
    ])
    expect(pids(deeds, change('updated', '/etc/hosts'))).toEqual([2, 1])
  })

  it('of one change after another is each time whoever made it', () => {
    const deeds = deedsOf([
      { pid: 1, at: 900, paths: [['NORMAL', 10, 'hosts']] },
      { pid: 2, at: 2_000, paths: [['NORMAL', 10, 'hosts']] },
    ])
    const second = { happened: start + 2_001, seen: start + 2_200 }
    expect(pids(deeds, change('updated', '/etc/hosts'))).toEqual([1])
    expect(pids(deeds, change('updated', '/etc/hosts', second))).toEqual([2])
    const made = deedsOf([
      { pid: 1, at: 900, paths: [['CREATE', 10, 'made']] },
      { pid: 2, at: 950, paths: [['NORMAL', 10, 'made']] },
    ])
    expect(pids(made, change('created', '/etc/made'))).toEqual([2, 1])
    expect(made.fresh(change('updated', '/etc/made', second))).toEqual([])
    // A file that is held open is written without another word of audit; a mode is not.
    const third = { happened: start + 3_000, seen: start + 3_200 }
    expect(deeds.fresh(change('updated', '/etc/hosts', third))).toEqual([])
    expect(pids(deeds, change('updated', '/etc/hosts', third))).toEqual([1, 2])
    expect(pids(deeds, change('attributes_modified', '/etc/hosts', third))).toEqual([])
  })
})

describe('who made changes', () => {
  it('of all in a folder is whoever moved the folder', () => {
    const deeds = deedsOf([
      {
        pid: 4,
        at: 990,
        paths: [
          ['DELETE', 30, 'old'],
          ['CREATE', 30, 'new'],
        ],
      },
    ])
    for (const [path, inode] of [
      ['/etc/new', 30],
      ['/etc/new/a', 31],
      ['/etc/new/b', 32],
    ] as const) {
      expect(pids(deeds, change('created', path, { inodes: [inode], happened: start + 500 }))).toEqual([4])
    }
    expect(pids(deeds, change('created', '/etc/new/later', { inodes: [33] }))).toEqual([])
    expect(pids(deeds, change('deleted', '/etc/old/a', { inodes: [31], happened: undefined }))).toEqual([4])
    expect(pids(deeds, change('updated', '/etc/new/a', { inodes: [31] }))).toEqual([])
    const made = deedsOf([{ pid: 5, at: 990, paths: [['CREATE', 40, 'made']] }])
    expect(pids(made, change('created', '/etc/made/a', { inodes: [41], happened: start + 500 }))).toEqual([])
  })

  it('is taken from rules of others only by the inode, as their paths may be those of a container', () => {
    const deeds = deedsOf([
      { pid: 1, at: 900, isOwn: false, paths: [['NORMAL', 77, '/etc/hosts']] },
      { pid: 2, at: 900, isOwn: false, paths: [['NORMAL', 10, '/etc/group']] },
    ])
    expect(pids(deeds, change('updated', '/etc/hosts'))).toEqual([])
    expect(pids(deeds, change('updated', '/etc/group'))).toEqual([2])
  })

  it('is remembered of so many deeds, the newest', () => {
    const deeds = deedsOf(
      Array.from({ length: 8_200 }, (_, at) => ({ pid: at, at: 900, paths: [['CREATE', at, `file-${at}`]] as const })),
    )
    expect(deeds.size).toBe(8_192)
    expect(pids(deeds, change('created', '/etc/file-7', { inodes: [7] }))).toEqual([])
    expect(pids(deeds, change('created', '/etc/file-8', { inodes: [8] }))).toEqual([8])
  })
})

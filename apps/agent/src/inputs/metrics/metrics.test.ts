import { describe, expect, it } from 'vitest'
import { cpuShares, readCpuTimes } from './cpu.ts'
import { readMounts } from './filesystem.ts'
import { readMemory } from './memory.ts'
import { readInterfaces } from './network.ts'

describe('cpu', () => {
  it('gives shares of the time between two readings', () => {
    const before = readCpuTimes('cpu  100 0 100 800 0 0 0 0 0 0')
    const after = readCpuTimes('cpu  150 10 120 900 10 5 5 0 0 0')
    expect(cpuShares(before, after)).toEqual({ busy: 0.45, user: 0.3, system: 0.15, idle: 0.5, iowait: 0.05 })
  })

  it('gives zeros when no time has passed', () => {
    const times = readCpuTimes('cpu  1 2 3 4 5 6 7 8 0 0')
    expect(cpuShares(times, times)).toEqual({ busy: 0, user: 0, system: 0, idle: 0, iowait: 0 })
  })
})

describe('memory', () => {
  it('reads bytes by name', () => {
    expect(readMemory(['MemTotal:       1000 kB', 'HugePages_Total:       3', 'nonsense'])).toEqual(
      new Map([
        ['MemTotal', 1_024_000],
        ['HugePages_Total', 3072],
      ]),
    )
  })
})

describe('filesystem', () => {
  it('keeps one mount a device, always the root, and none without data', () => {
    const mounts = readMounts([
      'overlay / overlay rw 0 0',
      'proc /proc proc rw 0 0',
      '/dev/sda1 /very/long ext4 rw 0 0',
      '/dev/sda1 /data ext4 rw 0 0',
      '/dev/sdb1 /with\\040space xfs rw 0 0',
    ])
    expect(mounts.map((mount) => mount.point)).toEqual(['/', '/data', '/with space'])
  })
})

describe('network', () => {
  it('reads counters of both directions and skips the heading', () => {
    const lines = [
      'Inter-|   Receive                                                |  Transmit',
      ' face |bytes    packets errs drop fifo frame compressed multicast|bytes    packets errs drop',
      '  eth0: 100 2 3 4 0 0 0 0 500 6 7 8 0 0 0 0',
    ]
    expect(readInterfaces(lines)).toEqual([
      {
        name: 'eth0',
        in: { bytes: 100, packets: 2, errors: 3, dropped: 4 },
        out: { bytes: 500, packets: 6, errors: 7, dropped: 8 },
      },
    ])
  })
})

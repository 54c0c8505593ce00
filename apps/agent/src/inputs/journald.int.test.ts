import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { PolicyInput, UnitStatus } from '@logstack/contracts'
import { createLogger } from '@logstack/logging'
import { type TempDir, tempDir } from '@logstack/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Spool } from '../spool/spool.ts'
import { journaldInput } from './journald.ts'

const daemon = '/usr/lib/systemd/systemd-journald'
const isPossible = process.getuid?.() === 0 && existsSync(daemon) && existsSync('/usr/bin/unshare')
const waitLimitMs = 15_000

// A journal of its own: systemd-journald in a private mount namespace, whose files lie in the test's folder. Each line of standard input is logged.
const script = `
set -e
mount -t tmpfs tmpfs /run
mkdir -p /run/systemd/journal /run/log/journal
mount --bind "$1" /run/log/journal
${daemon} &
trap 'kill %1; wait %1' EXIT
until [ -S /run/systemd/journal/dev-log ]; do sleep 0.05; done
while read -r line; do logger -u /run/systemd/journal/dev-log -t sshd "$line"; done
`

async function until(what: string, holds: () => boolean): Promise<void> {
  const deadline = Date.now() + waitLimitMs
  while (!holds()) {
    if (Date.now() > deadline) throw new Error(`waited in vain: ${what}`)
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

let temporary: TempDir
let journal: ChildProcess | undefined
let spool: Spool
const reports: [UnitStatus, string][] = []

beforeAll(() => {
  temporary = tempDir('logstack-journald')
  mkdirSync(join(temporary.path, 'journal'))
  writeFileSync(join(temporary.path, 'journal.sh'), script)
  spool = Spool.open(join(temporary.path, 'spool'), { bytesMax: 10_000_000, segmentBytesMax: 1_000_000 })
})

afterAll(async () => {
  if (journal) {
    const ended = new Promise((resolve) => journal?.once('exit', resolve))
    journal.stdin?.end()
    await ended
  }
  spool.close()
  temporary.remove()
})

function start(directory: string): { stop(): Promise<void> } {
  const stopping = new AbortController()
  const stream = { id: 'journald', data_stream: { type: 'logs' as const, dataset: 'system.journal' }, directory }
  const input: PolicyInput = { id: 'journald', type: 'journald', streams: [stream] }
  const running = journaldInput.run(input, {
    spool,
    logger: createLogger('agent', 'silent'),
    signal: stopping.signal,
    extraLogPaths: [],
    isJournalCopy: () => false,
    stateFolder: temporary.path,
    report: (_, status, message) => reports.push([status, message]),
  })
  return {
    async stop() {
      stopping.abort()
      await running
    },
  }
}

const lines = (): unknown[] => {
  const records = spool.peek({ recordsMax: 10_000, bytesMax: 100_000_000 })?.records ?? []
  return records.map((record) => record.event['message']).filter((text) => String(text).startsWith('numbered'))
}

describe('without a journal', () => {
  it('is degraded and says why', async () => {
    mkdirSync(join(temporary.path, 'empty'))
    const input = start(join(temporary.path, 'empty'))
    await until('the reason', () => reports.some(([status]) => status === 'DEGRADED'))
    await input.stop()
    expect(reports).toEqual([['DEGRADED', 'this host keeps no journal']])
  })
})

describe.skipIf(!isPossible)('with a journal of its own (needs root and systemd-journald)', () => {
  it('reads each entry once, going on behind its cursor after a restart', async () => {
    const directory = join(temporary.path, 'journal')
    journal = spawn('unshare', ['-m', 'bash', join(temporary.path, 'journal.sh'), directory], {
      stdio: ['pipe', 'ignore', 'inherit'],
    })
    const write = (from: number, to: number): void => {
      for (let number = from; number < to; number += 1) journal?.stdin?.write(`numbered ${number}\n`)
    }
    write(0, 20)
    const first = start(directory)
    await until('the first entries', () => lines().length === 20)
    await first.stop()
    write(20, 40)
    const second = start(directory)
    await until('the later entries', () => lines().length >= 40)
    await second.stop()
    expect(lines()).toEqual(Array.from({ length: 40 }, (_, number) => `numbered ${number}`))
    const [record] = spool.peek({ recordsMax: 10_000, bytesMax: 100_000_000 })?.records.slice(-1) ?? []
    expect(record?.event).toMatchObject({
      log: { syslog: { appname: 'sshd', severity: { code: 5 } } },
      systemd: { transport: 'syslog' },
    })
  })
})

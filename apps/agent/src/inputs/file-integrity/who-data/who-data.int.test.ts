import { appendFileSync, chmodSync, mkdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { InputTrial } from '../../../run-input.testing.ts'
import { fileIntegrity } from '../../file-integrity.ts'
import { recordsOf, type ToldCall } from './audit.testing.ts'
import { AuditRules } from './audit-rules.ts'

const stranger = '-w /srv -p wa -k logstack-fim-other'
const leftover = '-a always,exit -F arch=b64 -S all -F dir=/gone -F perm=wa -F key=logstack-fim'

/** A host's audit: what the kernel would hold, and what auditctl would say of it. */
class Audit {
  readonly rules = [stranger, leftover]
  readonly settingsFile: string
  readonly log: string
  status = 'enabled 1\nfailure 1\npid 323\n'
  #serial = 0

  constructor(folder: string) {
    this.settingsFile = join(folder, 'auditd.conf')
    this.log = join(folder, 'audit.log')
    writeFileSync(this.settingsFile, `log_file = ${this.log}\n`)
    writeFileSync(this.log, '')
  }

  async auditctl([verb, ...rest]: readonly string[]): Promise<string> {
    if (verb === '-s') return this.status
    if (verb === '-l') return `${this.rules.join('\n')}\n`
    const rule = `-a ${rest.join(' ').replace(/(arch=\S+)/, '$1 -S all')}`
    const at = this.rules.indexOf(rule)
    if (verb === '-a' && at < 0) this.rules.push(rule)
    else if (verb === '-d' && at >= 0) this.rules.splice(at, 1)
    else throw new Error(`Command failed: auditctl ${verb}\nRule exists or does not`)
    return ''
  }

  tell(call: Omit<ToldCall, 'serial' | 'time'>): void {
    this.#serial += 1
    const records = recordsOf({ serial: this.#serial, time: Date.now(), key: 'logstack-fim', ...call })
    appendFileSync(this.log, records.map((record) => `${record}\n`).join(''))
  }
}

let trial: InputTrial
let audit: Audit
let folder: string

const start = (whodata: unknown = 'auto'): void =>
  trial.start(fileIntegrity(new AuditRules(audit)), 'file_integrity', {
    paths: [folder],
    period_ms: 86_400_000,
    whodata,
  })
const eventOf = (action: string, name: string): Record<string, unknown> | undefined =>
  trial.events().find((event) => {
    const { action: of } = event['event'] as { action: string }
    return of === action && (event['file'] as { name: string }).name === name
  })
const inode = (name: string): number => statSync(join(folder, name)).ino

beforeEach(() => {
  trial = new InputTrial()
  folder = join(trial.path, 'watched')
  audit = new Audit(trial.path)
  mkdirSync(folder)
  writeFileSync(join(folder, 'old'), 'one')
})

afterEach(() => trial.end())

describe('changes of files on a host with audit', () => {
  it('tell who made them', async () => {
    start()
    await trial.until('the first look', () => trial.status === 'HEALTHY')
    expect(trial.message).not.toMatch(/not told/)
    writeFileSync(join(folder, 'old'), 'two')
    audit.tell({
      pid: 77,
      auid: '123456',
      uid: '0',
      enriched: 'AUID="alice"',
      comm: 'tee',
      exe: '/usr/bin/tee',
      title: 'tee\0old',
      paths: [['NORMAL', inode('old'), join(folder, 'old')]],
    })
    await trial.until('old', () => eventOf('updated', 'old') !== undefined)
    expect(eventOf('updated', 'old')).toMatchObject({
      user: { id: '123456', name: 'alice', effective: { id: '0', name: 'root' } },
      process: { pid: 77, name: 'tee', executable: '/usr/bin/tee', command_line: 'tee old', parent: { pid: 3999 } },
      file_integrity: { before: { size: 3 } },
    })
  })

  it('tell it when audit is later than inotify, after the log was rotated, and of each of two files', async () => {
    start()
    await trial.until('the first look', () => trial.status === 'HEALTHY')
    audit.tell({ pid: 1, paths: [['NORMAL', 1, '/elsewhere']] })
    renameSync(audit.log, `${audit.log}.1`)
    writeFileSync(audit.log, '')
    const made: [string, number][] = [
      ['a b', 70],
      ['c', 71],
    ]
    for (const [name] of made) writeFileSync(join(folder, name), name)
    for (const [name, pid] of made) {
      // The folder stands for one of which only a descriptor is known.
      audit.tell({ pid, cwd: '/', paths: [['CREATE', inode(name), name]] })
    }
    for (const [name, pid] of made) {
      await trial.until(name, () => eventOf('created', name) !== undefined)
      expect(eventOf('created', name)).toMatchObject({ process: { pid } })
    }
  })

  it('come without it when audit says nothing, and none is lost', async () => {
    start()
    await trial.until('the first look', () => trial.status === 'HEALTHY')
    chmodSync(join(folder, 'old'), 0o600)
    await trial.until('mode', () => eventOf('attributes_modified', 'old') !== undefined)
    rmSync(join(folder, 'old'))
    await trial.until('gone', () => eventOf('deleted', 'old') !== undefined)
    for (const event of trial.events()) expect(event).not.toHaveProperty('user')
  })
})

describe('rules of audit', () => {
  it('are put for the watched paths, taken back at the end, and those of others stay', async () => {
    start()
    await trial.until('the first look', () => trial.status === 'HEALTHY')
    const rule = (arch: string): string =>
      `-a always,exit -F arch=${arch} -S all -F dir=${folder} -F perm=wa -F key=logstack-fim`
    expect(audit.rules).toEqual([stranger, rule('b64'), rule('b32')])
    await trial.stop()
    expect(audit.rules).toEqual([stranger])
  })

  it('are not touched unless that is asked for', async () => {
    start('off')
    await trial.until('the first look', () => trial.status === 'HEALTHY')
    await trial.stop()
    expect(audit.rules).toEqual([stranger, leftover])
    trial.start(fileIntegrity(new AuditRules(audit)), 'file_integrity', { paths: [folder], whodata: 'yes' })
    await expect(trial.stop()).rejects.toThrow(/whodata/)
    start('off')
  })

  it('that cannot be put are said, and changes are told without', async () => {
    audit.status = 'enabled 0\nfailure 1\npid 0\n'
    start()
    await trial.until('the first look', () => trial.status === 'HEALTHY')
    expect(trial.message).toMatch(/who changes them is not told: audit is switched off/)
    expect(audit.rules).toEqual([stranger, leftover])
    writeFileSync(join(folder, 'new'), 'x')
    await trial.until('new', () => eventOf('created', 'new') !== undefined)
  })

  it('that are locked are said, and what is told nevertheless is heard', async () => {
    const { auditctl } = audit
    audit.auditctl = async (args) => {
      if (args[0] === '-a' || args[0] === '-d') throw new Error('Command failed: auditctl\nno rule changes allowed\n')
      return auditctl.call(audit, args)
    }
    start()
    await trial.until('the first look', () => trial.status === 'HEALTHY')
    expect(trial.message).toMatch(/not told: auditctl: no rule changes allowed/)
    writeFileSync(join(folder, 'new'), 'x')
    audit.tell({ pid: 9, key: 'logstack-fim-other', paths: [['CREATE', inode('new'), join(folder, 'new')]] })
    await trial.until('new', () => eventOf('created', 'new') !== undefined)
    expect(eventOf('created', 'new')).toMatchObject({ process: { pid: 9 } })
  })
})

import { posix } from 'node:path'
import { type AuditRecord, fieldsOf, idOf, readRecord, textOf } from './audit-record.ts'

const openMax = 512
const pathsMax = 64

/** Who did something: an account and a process, as the kernel knew them then. */
export interface Actor {
  /** Who logged in (`auid`): stays when an account becomes another one by `su` or `sudo`. Absent for what no login began. */
  readonly loginId: string | undefined
  readonly realId: string | undefined
  readonly effectiveId: string | undefined
  /** Names that auditd knew, by id. */
  readonly names: ReadonlyMap<string, string>
  readonly pid: number
  readonly parentPid: number | undefined
  readonly name: string | undefined
  readonly executable: string | undefined
  readonly commandLine: string | undefined
}

/** What was done to one path. */
export interface TouchedPath {
  /** Absolute, if it was given and is not beside a folder that only a descriptor names; its last part is right in any case. */
  readonly path: string | undefined
  readonly inode: number
  readonly kind: 'NORMAL' | 'CREATE' | 'DELETE'
}

/** A system call that went well, with the paths it was about. */
export interface AuditEvent {
  readonly time: number
  readonly keys: readonly string[]
  readonly actor: Actor
  readonly paths: readonly TouchedPath[]
}

interface OpenEvent {
  readonly call: AuditRecord
  cwd: AuditRecord | undefined
  readonly paths: AuditRecord[]
}

/** Puts records together: those of several events may come mixed, and each begins with its SYSCALL. */
export class AuditEvents {
  readonly #open = new Map<string, OpenEvent>()

  /** Takes a line of the log; gives the events that ended with it. */
  add(line: string): AuditEvent[] {
    const record = readRecord(line)
    if (!record) return []
    if (record.type === 'SYSCALL') return this.#begin(record)
    const open = this.#open.get(record.id)
    if (!open) return []
    if (record.type === 'CWD') open.cwd = record
    else if (record.type === 'PATH' && open.paths.length < pathsMax) open.paths.push(record)
    // The last of an event; kernels and settings without a title end it with EOE alone.
    if (record.type !== 'PROCTITLE' && record.type !== 'EOE') return []
    this.#open.delete(record.id)
    return [assemble(open, fieldsOf(record).get('proctitle'))]
  }

  #begin(call: AuditRecord): AuditEvent[] {
    // Most calls that a host is told to audit are none of ours: what no rule of a key told of is not read further.
    if (!call.text.includes(' success=yes ') || call.text.includes(' key=(null)')) return []
    this.#open.set(call.id, { call, cwd: undefined, paths: [] })
    if (this.#open.size <= openMax) return []
    // Its end was lost.
    const [oldest] = this.#open
    if (!oldest) return []
    this.#open.delete(oldest[0])
    return [assemble(oldest[1], undefined)]
  }
}

function assemble({ call, cwd, paths }: OpenEvent, title: string | undefined): AuditEvent {
  const fields = fieldsOf(call)
  const folder = textOf(cwd && fieldsOf(cwd).get('cwd')) ?? '/'
  return {
    time: call.time,
    keys: textOf(fields.get('key'))?.split('\x01') ?? [],
    actor: actorOf(fields, title),
    paths: paths.flatMap((record) => touchedPath(fieldsOf(record), folder)),
  }
}

function actorOf(fields: ReadonlyMap<string, string>, title: string | undefined): Actor {
  const names = new Map<string, string>()
  for (const key of ['auid', 'uid', 'euid']) {
    const id = idOf(fields.get(key))
    const name = textOf(fields.get(key.toUpperCase()))
    if (id !== undefined && name !== undefined && !/^unknown\(|^unset$/.test(name)) names.set(id, name)
  }
  return {
    loginId: idOf(fields.get('auid')),
    realId: idOf(fields.get('uid')),
    effectiveId: idOf(fields.get('euid')),
    names,
    pid: Number(fields.get('pid')),
    parentPid: numberOf(fields.get('ppid')),
    name: textOf(fields.get('comm')),
    executable: textOf(fields.get('exe')),
    commandLine: textOf(title)?.replace(/\0+$/, '').replaceAll('\0', ' ') || undefined,
  }
}

function touchedPath(fields: ReadonlyMap<string, string>, cwd: string): TouchedPath[] {
  const kind = fields.get('nametype')
  // The folder of the path (PARENT) is not what was changed.
  if (kind !== 'NORMAL' && kind !== 'CREATE' && kind !== 'DELETE') return []
  const name = textOf(fields.get('name'))
  return [
    {
      path: name === undefined ? undefined : posix.resolve(cwd, name),
      inode: numberOf(fields.get('inode')) ?? 0,
      kind,
    },
  ]
}

function numberOf(value: string | undefined): number | undefined {
  return value === undefined || !/^\d+$/.test(value) ? undefined : Number(value)
}

import { mkdir, open, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Logger } from '@logstack/logging'
import { type AuditEventName, auditEvents } from '../../model/audit-events.ts'
import type { AuditMembers, AuditTrail } from './events.ts'

/** How much is kept, and for how many lines a slow disk is waited. */
export interface AuditLimits {
  readonly fileBytesMax: number
  /** Files in all, the one being written included. */
  readonly filesMax: number
  readonly waitingMax?: number
}

const waitingDefaultMax = 10_000
const name = 'audit.json'

/** A trail in `audit.json` of a folder of its own, readable by search alone; `audit.json.1` is the file before, and so on. */
export function createAuditFile(options: {
  readonly directory: string
  readonly limits: AuditLimits
  /** The events that are written, asked at every event: settings change while search runs. */
  readonly included: () => ReadonlySet<string>
  /** Members that every event has. */
  readonly node: AuditMembers
  readonly now: () => number
  readonly logger: Logger
}): AuditTrail {
  const { limits, included, node, now } = options
  const waitingMax = limits.waitingMax ?? waitingDefaultMax
  let waiting: string[] = []
  let lost = 0
  let writing: Promise<void> | undefined

  const line = (event: string, members: AuditMembers): string =>
    `${JSON.stringify({ type: 'audit', timestamp: timestampOf(now()), ...node, ...typed(event, members) })}\n`

  async function write(): Promise<void> {
    while (waiting.length > 0) {
      const lines = lost > 0 ? [line('events_lost', { count: lost }), ...waiting] : waiting
      const before = lost
      waiting = []
      try {
        await append(options.directory, lines, limits)
        lost -= before
      } catch (thrown) {
        lost += lines.length - (before > 0 ? 1 : 0)
        options.logger.error({ err: thrown, lost }, 'audit events could not be written')
        return
      }
    }
  }

  function begin(): void {
    writing ??= write().finally(() => {
      writing = undefined
      if (waiting.length > 0) begin()
    })
  }

  return {
    includes: (event) => included().has(event),
    record(event, members) {
      if (!included().has(event)) return
      if (waiting.length >= waitingMax) {
        lost += 1
        return
      }
      waiting.push(line(event, members))
      begin()
    },
    async close() {
      for (let last = writing; last !== undefined; last = writing) await last
    },
  }
}

function typed(event: string, members: AuditMembers): AuditMembers {
  if (event === 'security_config_change') return { 'event.type': 'security_config_change', ...members }
  const isOurs = !auditEvents.includes(event as AuditEventName)
  return { 'event.type': isOurs ? 'audit' : 'rest', 'event.action': event, ...members }
}

/** `2026-11-23T09:00:00,123+0000`. */
function timestampOf(ms: number): string {
  return new Date(ms).toISOString().replace('.', ',').replace('Z', '+0000')
}

async function append(directory: string, lines: readonly string[], limits: AuditLimits): Promise<void> {
  const bytes = Buffer.from(lines.join(''))
  await mkdir(directory, { recursive: true, mode: 0o700 })
  const path = join(directory, name)
  const size = (await stat(path).catch(absent))?.size ?? 0
  if (size > 0 && size + bytes.length > limits.fileBytesMax) await rotate(directory, limits.filesMax)
  const file = await open(path, 'a', 0o600)
  try {
    await file.writeFile(bytes)
  } finally {
    await file.close()
  }
}

async function rotate(directory: string, filesMax: number): Promise<void> {
  const path = (at: number) => join(directory, at === 0 ? name : `${name}.${at}`)
  await rm(path(filesMax - 1), { force: true })
  for (let at = filesMax - 2; at >= 0; at--) await rename(path(at), path(at + 1)).catch(absent)
}

function absent(thrown: unknown): undefined {
  if (thrown instanceof Error && 'code' in thrown && thrown.code === 'ENOENT') return undefined
  throw thrown
}

import { lstat, readFile } from 'node:fs/promises'
import { messageOf } from '@logstack/errors'
import { runCommand } from '../../inventory/run-tool.ts'
import { changeKeys, logFileOf, type OwnRule, ownRules, ruleArguments, whyAuditIsSilent } from './rule-listing.ts'

// Each is looked at whenever a file of the host is changed.
const pathsMax = 64

/** The host's audit: its tool and auditd's settings. */
export interface AuditHost {
  auditctl(args: readonly string[]): Promise<string>
  readonly settingsFile: string
}

/** What audit on this host gives. */
export interface Audit {
  /** The file that auditd writes. */
  readonly logFile: string
  /** Keys of others whose rules tell of changes only. */
  readonly changeKeys: ReadonlySet<string>
  /** Why not every path is watched. */
  readonly missing: string | undefined
}

/** The agent's own rules: one set for all its streams, as there is one audit on a host. Others' rules are never touched. */
export class AuditRules {
  readonly #host: AuditHost
  readonly #wanted = new Map<object, readonly string[]>()
  #turn: Promise<unknown> = Promise.resolve()

  constructor(host: AuditHost) {
    this.#host = host
  }

  /** Has audit watch what `owner` wants watched, instead of what it wanted before; rejects with the reason where that cannot be. */
  want(owner: object, roots: readonly string[]): Promise<Audit> {
    this.#wanted.set(owner, roots)
    return this.#inTurn(async () => {
      const silent = whyAuditIsSilent(await this.#auditctl(['-s']))
      if (silent !== undefined) throw new Error(silent)
      const logFile = logFileOf(await readFile(this.#host.settingsFile, 'utf8'))
      if (logFile === undefined) throw new Error('auditd writes no log (write_logs = no)')
      return { logFile, ...(await this.#settle()) }
    })
  }

  /** Takes back what only `owner` wanted, and what a killed agent left; rejects with the reason when something stays. */
  async release(owner: object): Promise<void> {
    this.#wanted.delete(owner)
    const { missing } = await this.#inTurn(() => this.#settle())
    if (missing !== undefined) throw new Error(missing)
  }

  async #settle(): Promise<Omit<Audit, 'logFile'>> {
    const listing = await this.#auditctl(['-l'])
    const present = ownRules(listing)
    const roots = [...new Set([...this.#wanted.values()].flat())]
    const wanted = (await Promise.all(roots.slice(0, pathsMax).map(rulesFor))).flat()
    let refused: string | undefined
    const change = async (verb: '-a' | '-d', rules: readonly OwnRule[]): Promise<void> => {
      for (const rule of rules) {
        try {
          await this.#auditctl([verb, ...ruleArguments(rule)])
        } catch (thrown) {
          refused ??= messageOf(thrown)
        }
      }
    }
    await change('-d', without(present, wanted))
    await change('-a', without(wanted, present))
    const tooMany = roots.length > pathsMax ? `audit watches ${pathsMax} of ${roots.length} paths` : undefined
    return { changeKeys: changeKeys(listing), missing: refused ?? tooMany }
  }

  async #auditctl(args: readonly string[]): Promise<string> {
    try {
      return await this.#host.auditctl(args)
    } catch (thrown) {
      if ((thrown as NodeJS.ErrnoException).code === 'ENOENT') {
        throw new Error('auditctl is not installed (package auditd)', { cause: thrown })
      }
      // The first line is the command, the others are what it said.
      const said = messageOf(thrown).trim().split('\n').slice(1)
      throw said.length > 0 ? new Error(`auditctl: ${said.join(', ')}`, { cause: thrown }) : thrown
    }
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#turn.then(work, work)
    this.#turn = done.catch(() => undefined)
    return done
  }
}

/** The rules for a path: for programs of 64 bits and of 32. None for what is not there. */
async function rulesFor(path: string): Promise<OwnRule[]> {
  try {
    const kind = (await lstat(path)).isDirectory() ? 'dir' : 'path'
    return [
      { arch: 'b64', kind, path },
      { arch: 'b32', kind, path },
    ]
  } catch {
    return []
  }
}

function without(rules: readonly OwnRule[], others: readonly OwnRule[]): OwnRule[] {
  const known = new Set(others.map((rule) => JSON.stringify(ruleArguments(rule))))
  return rules.filter((rule) => !known.has(JSON.stringify(ruleArguments(rule))))
}

/** The audit of the host that this agent runs on. */
export const systemRules = new AuditRules({
  auditctl: (args) => runCommand('auditctl', args),
  settingsFile: '/etc/audit/auditd.conf',
})

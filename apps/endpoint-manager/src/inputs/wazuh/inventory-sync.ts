import { createHash, type Hash } from 'node:crypto'
import type { Fields } from '../../ecs/fields.ts'
import { type InventoryTable, inventoryTables, isWhole } from './events/inventory-tables.ts'
import { numberOf, objectOf, readObject, textOf } from './events/reading.ts'
import { type ScanRow, scanRow } from './events/scan-rows.ts'

/** What is known of a table of an agent's database, or of the results of one of its policies. */
export interface KnownTable {
  /** The agent's own checksum of all that was taken in; empty where not all was, `none` where it was empty. */
  readonly checksum: string
  /** When it was asked for in full, in milliseconds since 1970. */
  readonly asked: number
  /** How often in a row it was asked for in vain. */
  readonly failures?: number | undefined
}

/** What is known of an agent, by table. It outlives connections, and as JSON programs; a few dozen short entries at most. */
export type SyncMemory = Map<string, KnownTable>

/** That everything of some kinds which a host has came at or after `since`: what came before is gone. */
export interface CompleteInventory {
  /** `logstack.inventory.kind` */
  readonly kinds: readonly string[]
  /** What keys of them begin with, where it is not about all of them. */
  readonly keyPrefix?: string
  /** Milliseconds since 1970. */
  readonly since: number
}

/** A table that the agent sends in full. */
interface Transfer {
  readonly since: number
  /** Index of the last row, as rows come in the order of their index. */
  readonly end: string
  readonly checksum: string
  /** Of the checksums of the rows so far, which is how agents make that of the whole. */
  readonly hash: Hash
}

const hourMs = 3_600_000
const dayMs = 24 * hourMs
/** What is lost on its way comes at the next try; an agent whose checksums are made in another way must not send all it has every hour. */
const hourlyTriesMax = 3
const policiesMax = 32
const indexMax = 1_024
const none = 'none'
// The agent puts what it is asked for into a query as it comes: what would end a text in it, and its placeholder.
const unsafe = /['?]/

/**
 * Answers the questions of one agent whether its database is known. An agent tells changes as they happen, but what was there when it began, and what changed
 * while it was off, only when it is asked: that is done when a table comes for the first time, when it changed although no change was told, and
 * otherwise at most once a day. Files and the registry are no inventory and never asked for.
 */
export class InventorySync {
  readonly #known: SyncMemory
  readonly #complete: (what: CompleteInventory) => void
  readonly #transfers = new Map<string, Transfer>()
  /** Tables of which changes came since the agent asked last. */
  readonly #changed = new Set<string>()
  /** How many results of a policy came since they were asked for. */
  readonly #results = new Map<string, { readonly since: number; readonly checksum: string; count: number }>()

  /** The look that an agent before 4.2 is at, by table. */
  readonly #scans = new Map<string, { readonly scan: string; readonly since: number }>()

  /** `complete` is told when an inventory was taken in whole: by the agent's own checksum of it, or as an old agent says. */
  constructor(known: SyncMemory, complete: (what: CompleteInventory) => void = () => undefined) {
    this.#known = known
    this.#complete = complete
  }

  /**
   * Looks at a message, each of the agent's in their order; what it answers is a control message to send back. `now` is in milliseconds since 1970.
   */
  answer(text: string, now: number): string | undefined {
    const queue = text.slice(0, 2)
    if (queue !== '5:' && queue !== 'd:' && queue !== 'p:') return undefined
    const read = readObject(text.slice(text.indexOf(':', 2) + 1))
    if (read === undefined) return undefined
    if (queue === 'p:') return this.#ofPolicy(read, now)
    if (queue === '5:') return this.#ofTable(read, now)
    const scanned = scanRow(read)
    if (scanned) this.#scanned(scanned, now)
    else this.#noteChange(textOf(read, 'type')?.replace(/^dbsync_/, '') ?? '', read)
    return undefined
  }

  #noteChange(name: string, read: Fields): void {
    const table = inventoryTables.get(name)
    if (!table) return
    const isTold = textOf(read, 'operation') !== 'MODIFIED' || isWhole(table, objectOf(read, 'data'))
    // Of counters nobody needs to know every change.
    if (isTold || table.hasCounters) this.#changed.add(name)
  }

  /** Agents before 4.2 have no tables to ask for, and send everything at every look. */
  #scanned({ table: name, scan, row }: ScanRow, now: number): void {
    const table = inventoryTables.get(name)
    const known = this.#scans.get(name)
    if (row) {
      if (known?.scan !== scan) this.#scans.set(name, { scan: scan.slice(0, 32), since: now })
    } else if (table && known?.scan === scan) {
      this.#scans.delete(name)
      this.#complete({ kinds: table.kinds, since: known.since })
    }
  }

  #ofTable(read: Fields, now: number): string | undefined {
    const component = textOf(read, 'component') ?? ''
    const name = component.replace(/^syscollector_/, '')
    const table = inventoryTables.get(name)
    if (!table || component === name) return undefined
    const data = objectOf(read, 'data')
    switch (textOf(read, 'type')) {
      case 'integrity_check_global':
        return this.#question(name, data, now)
      // Only while a table is sent half by half, as its index has letters that cannot be asked for at once.
      case 'integrity_check_left':
      case 'integrity_check_right':
        return this.#transfers.has(name) ? request(name, data) : undefined
      case 'integrity_clear':
        this.#clear(name, table, now)
        return undefined
      case 'state':
        this.#row(name, table, data)
        return undefined
      default:
        return undefined
    }
  }

  #question(name: string, data: Fields, now: number): string | undefined {
    const checksum = textOf(data, 'checksum')
    const asking = request(name, data)
    if (checksum === undefined || checksum.length > indexMax || asking === undefined) return undefined
    if (!this.#isDue(name, checksum, now)) return undefined
    this.#noteAsking(name, now)
    this.#transfers.set(name, { since: now, end: String(data['end']), checksum, hash: createHash('sha1') })
    return asking
  }

  /** Whether what has this checksum now is to be asked for in full; where changes explain it, it is known from here on. */
  #isDue(name: string, checksum: string, now: number): boolean {
    const isExplained = this.#changed.delete(name)
    const known = this.#known.get(name)
    if (!known) return true
    const { asked, failures = 0 } = known
    if (known.checksum === checksum) return false
    const ago = now - asked
    // A clock that was set back must not keep anything from being asked for.
    if (ago < 0 || ago >= dayMs) return true
    if (ago < hourMs || failures >= hourlyTriesMax) return false
    if (known.checksum === '' || known.checksum === none || !isExplained) return true
    this.#known.set(name, { checksum, asked })
    return false
  }

  #noteAsking(name: string, now: number): void {
    const { checksum, failures = 0 } = this.#known.get(name) ?? { checksum: none }
    this.#known.set(name, { checksum: '', asked: now, failures: checksum === '' ? failures + 1 : 0 })
  }

  #row(name: string, table: InventoryTable, data: Fields): void {
    const transfer = this.#transfers.get(name)
    const checksum = textOf(objectOf(data, 'attributes'), 'checksum')
    if (!transfer || checksum === undefined) return
    const { hash, since, end } = transfer
    hash.update(checksum)
    if (String(data['index']) !== end) return
    this.#transfers.delete(name)
    // Where a row was lost, or one changed meanwhile, it is asked for again at the next question.
    if (hash.digest('hex') !== transfer.checksum) return
    this.#known.set(name, { checksum: transfer.checksum, asked: since })
    this.#complete({ kinds: table.kinds, since })
  }

  #clear(name: string, table: InventoryTable, now: number): void {
    const known = this.#known.get(name)
    if (known?.checksum === none) return
    this.#transfers.delete(name)
    this.#known.set(name, { checksum: none, asked: known?.asked ?? 0 })
    this.#complete({ kinds: table.kinds, since: now })
  }

  /** Results are told when they change, all of them only to who asks; a summary has the checksum of all. */
  #ofPolicy(read: Fields, now: number): string | undefined {
    const policy = textOf(read, 'policy_id')
    if (policy === undefined || !/^[\w.-]{1,200}$/.test(policy)) return undefined
    const name = `sca ${policy}`
    switch (textOf(read, 'type')) {
      case 'check':
        this.#result(name)
        return undefined
      case 'summary':
        return this.#summary(name, policy, read, now)
      case 'dump_end':
        this.#allResults(name, policy, read)
        return undefined
      default:
        return undefined
    }
  }

  #result(name: string): void {
    if (!this.#known.has(name)) return
    const results = this.#results.get(name)
    if (results) results.count += 1
    else this.#changed.add(name)
  }

  #summary(name: string, policy: string, read: Fields, now: number): string | undefined {
    const checksum = textOf(read, 'hash')
    if (checksum === undefined || checksum.length > indexMax) return undefined
    const policies = [...this.#known.keys()].filter((each) => each.startsWith('sca '))
    if (!this.#known.has(name) && policies.length >= policiesMax) return undefined
    if (!this.#isDue(name, checksum, now)) return undefined
    this.#noteAsking(name, now)
    this.#results.set(name, { since: now, checksum, count: 0 })
    return `sca-dump:${policy}:${numberOf(read, 'first_scan') === undefined ? 0 : 1}`
  }

  #allResults(name: string, policy: string, read: Fields): void {
    const results = this.#results.get(name)
    this.#results.delete(name)
    if (!results || results.count !== numberOf(read, 'elements_sent')) return
    const { since, checksum } = results
    this.#known.set(name, { checksum, asked: since })
    this.#complete({ kinds: ['check'], keyPrefix: `${policy}/`, since })
  }
}

/** Asks for the rows from `begin` to `end` of a question; undefined for what is none. */
function request(name: string, { begin, end, id }: Fields): string | undefined {
  if (!isIndex(begin) || !isIndex(end) || !Number.isSafeInteger(id)) return undefined
  const verb = unsafe.test(`${begin}${end}`) ? 'checksum_fail' : 'no_data'
  return `syscollector_${name} dbsync ${verb} ${JSON.stringify({ begin, end, id })}`
}

function isIndex(value: unknown): value is string | number {
  return typeof value === 'string' ? value.length <= indexMax : Number.isSafeInteger(value)
}

import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { beforeEach, describe, expect, it } from 'vitest'
import { inventoryTables } from './events/inventory-tables.ts'
import { type CompleteInventory, InventorySync, type SyncMemory } from './inventory-sync.ts'
import { message } from './wazuh-event.testing.ts'

const hourMs = 3_600_000
const start = Date.parse('2026-11-28T08:00:00Z')

/** What agents do: rows in the order of their index, and a checksum of their checksums. */
class Agent {
  readonly rows = new Map<string, string>()
  readonly #component: string

  constructor(component: string, indices: readonly string[]) {
    this.#component = component
    for (const index of indices) this.set(index, 1)
  }

  set(index: string, version: number): void {
    this.rows.set(index, createHash('sha1').update(`${index} ${version}`).digest('hex'))
  }

  #of(begin: string, end: string): [string, string][] {
    return [...this.rows].sort().filter(([index]) => index >= begin && index <= end)
  }

  #checksum(rows: readonly (readonly [string, string])[]): string {
    return createHash('sha1')
      .update(rows.map(([, checksum]) => checksum).join(''))
      .digest('hex')
  }

  #message(type: string, data: object): string {
    return message(`5:${this.#component}`, { component: this.#component, type, data })
  }

  question(id = 1): string {
    const indices = [...this.rows.keys()].sort()
    if (indices.length === 0) return this.#message('integrity_clear', { id })
    const [begin = '', end = ''] = [indices[0], indices.at(-1)]
    return this.#message('integrity_check_global', { id, begin, end, checksum: this.#checksum(this.#of(begin, end)) })
  }

  /** What it sends when it gets a control message; throws for what a real one would not understand. */
  take(control: string): string[] {
    const [, verb, body = ''] =
      new RegExp(`^${this.#component} dbsync (no_data|checksum_fail) ({.*})$`).exec(control) ?? []
    const { begin, end, id } = JSON.parse(body) as { begin: string; end: string; id: number }
    const found = this.#of(begin, end)
    if (verb === 'no_data' && /['?]/.test(begin + end)) throw new Error('its database would not understand')
    if (verb === 'no_data' || found.length === 1) {
      return found.map(([index, checksum]) =>
        this.#message('state', { index, timestamp: '', attributes: { name: index, checksum } }),
      )
    }
    const middle = Math.floor(found.length / 2)
    const [left, right] = [found.slice(0, middle), found.slice(middle)]
    return [left, right].map((half, at) =>
      this.#message(at === 0 ? 'integrity_check_left' : 'integrity_check_right', {
        id,
        begin: half[0]?.[0],
        end: half.at(-1)?.[0],
        checksum: this.#checksum(half),
        ...(at === 0 ? { tail: right[0]?.[0] } : {}),
      }),
    )
  }
}

let known: SyncMemory
let complete: CompleteInventory[]
let sync: InventorySync
const connect = (): InventorySync => new InventorySync(known, (what) => complete.push(what))

/** Lets the agent ask, and answers until nobody says anything more; how many rows it sent. */
function exchange(agent: Agent, now: number, lose: (row: string) => boolean = () => false): number {
  const sent = [agent.question()]
  let rows = 0
  for (const text of sent) {
    if (text.includes('"state"')) rows += 1
    if (text.includes('"state"') && lose(text)) continue
    const control = sync.answer(text, now)
    if (control !== undefined) sent.push(...agent.take(control))
  }
  return rows
}

beforeEach(() => {
  known = new Map()
  complete = []
  sync = connect()
})

describe('the inventory of an agent', () => {
  it('is asked for in full the first time, and then known', () => {
    const agent = new Agent('syscollector_packages', ['aa', 'bb', 'cc'])
    expect(sync.answer(agent.question(7), start)).toBe(
      'syscollector_packages dbsync no_data {"begin":"aa","end":"cc","id":7}',
    )
    known.clear()
    expect(exchange(agent, start)).toBe(3)
    expect(complete).toEqual([{ kinds: ['package', 'library', 'snap'], since: start }])
    sync = connect()
    expect(exchange(agent, start + 48 * hourMs)).toBe(0)
    expect(complete).toHaveLength(1)
  })

  it('is asked for again when it changed while nobody was told', () => {
    const agent = new Agent('syscollector_users', ['ann', 'ben'])
    exchange(agent, start)
    agent.set('ann', 2)
    agent.rows.delete('ben')
    sync = connect()
    expect(exchange(agent, start + 2 * hourMs)).toBe(1)
    expect(complete.at(-1)).toEqual({ kinds: ['user'], since: start + 2 * hourMs })
  })

  it('is known where its changes were told, and asked for once a day all the same', () => {
    const agent = new Agent('syscollector_ports', ['1', '2'])
    exchange(agent, start)
    let rows = 0
    for (let hour = 1; hour <= 72; hour += 1) {
      agent.set('2', hour + 1)
      sync.answer('d:syscollector:{"type":"dbsync_ports","operation":"MODIFIED","data":{}}', start + hour * hourMs)
      rows += exchange(agent, start + hour * hourMs)
    }
    expect(rows).toBe(3 * 2)
  })
})

describe('an inventory', () => {
  it('that did not come whole is not known, and asked for an hour later', () => {
    const agent = new Agent('syscollector_packages', ['aa', 'bb', 'cc'])
    expect(exchange(agent, start, (row) => row.includes('"bb"'))).toBe(3)
    expect(complete).toEqual([])
    expect(exchange(agent, start + hourMs - 1)).toBe(0)
    expect(exchange(agent, start + hourMs)).toBe(3)
    expect(complete).toHaveLength(1)
  })

  it('that never comes whole is asked for a few times, and then once a day', () => {
    const agent = new Agent('syscollector_packages', ['aa', 'bb', 'cc'])
    let rows = 0
    for (let hour = 0; hour < 72; hour += 1)
      rows += exchange(agent, start + hour * hourMs, (row) => row.includes('"bb"'))
    expect(rows).toBe((4 + 2) * 3)
    expect(exchange(agent, start + 100 * hourMs)).toBe(3)
    expect(complete).toHaveLength(1)
  })

  it('of which nothing tells one row is taken, too', () => {
    const agent = new Agent('syscollector_hwinfo', [' '])
    expect(exchange(agent, start)).toBe(1)
    expect(complete).toEqual([{ kinds: ['hardware'], since: start }])
  })

  it('that does not come to its end is asked for again, too', () => {
    const agent = new Agent('syscollector_packages', ['aa', 'bb'])
    exchange(agent, start, (row) => row.includes('"bb"'))
    expect(exchange(agent, start + hourMs)).toBe(2)
    expect(complete).toHaveLength(1)
  })

  it('is taken in halves where names would not be understood', () => {
    const agent = new Agent('syscollector_groups', ["a'b", 'c', "d's", 'e?'])
    expect(exchange(agent, start)).toBe(4)
  })

  it('that is empty has nothing any more, which is told once', () => {
    const agent = new Agent('syscollector_hotfixes', ['KB1'])
    exchange(agent, start)
    agent.rows.clear()
    exchange(agent, start + hourMs)
    exchange(agent, start + 2 * hourMs)
    expect(complete.slice(1)).toEqual([{ kinds: ['hotfix'], since: start + hourMs }])
    agent.set('KB2', 1)
    expect(exchange(agent, start + 3 * hourMs)).toBe(1)
  })

  it('is asked for when the clock was set back', () => {
    const agent = new Agent('syscollector_hotfixes', ['KB1'])
    exchange(agent, start)
    agent.set('KB1', 2)
    expect(exchange(agent, start - 48 * hourMs)).toBe(1)
  })

  it('is not that of files, nor of what is no table', () => {
    for (const component of ['fim_file', 'syscheck', 'packages', 'syscollector_planets']) {
      expect(sync.answer(new Agent(component, ['a']).question(), start)).toBeUndefined()
    }
    expect(known.size).toBe(0)
  })
})

describe('the inventory of an old agent', () => {
  const changed = (table: string, data: object) =>
    message('d:syscollector', { type: `dbsync_${table}`, operation: 'MODIFIED', data })

  it('is asked for when changes are told in part, but not for every counter', () => {
    const [packages, processes] = [
      new Agent('syscollector_packages', ['a']),
      new Agent('syscollector_processes', ['1']),
    ]
    for (const agent of [packages, processes]) exchange(agent, start)
    for (const agent of [packages, processes]) agent.rows.set([...agent.rows.keys()][0] ?? '', '0'.repeat(40))
    sync.answer(changed('packages', { name: 'a', version: '1', architecture: 'all', description: 'x' }), start)
    sync.answer(changed('processes', { pid: '1', utime: 5 }), start)
    expect(exchange(packages, start + 2 * hourMs)).toBe(1)
    expect(exchange(processes, start + 2 * hourMs)).toBe(0)
    packages.set('a', 3)
    sync.answer(changed('packages', { name: 'a', version: '1', format: 'deb' }), start + 3 * hourMs)
    expect(exchange(packages, start + 4 * hourMs)).toBe(0)
  })

  it('is whole at the end of a look whose beginning was seen', () => {
    const look = (type: string, id: number) => message('d:syscollector', { type, ID: id, program: { name: 'a' } })
    for (const [at, text] of [
      look('program_end', 1),
      look('program', 2),
      look('program', 2),
      look('program_end', 2),
    ].entries()) {
      expect(sync.answer(text, start + at)).toBeUndefined()
    }
    sync.answer(look('program', 3), start + 9)
    sync.answer(look('program_end', 4), start + 10)
    expect(complete).toEqual([{ kinds: ['package', 'library', 'snap'], since: start + 1 }])
  })
})

describe('the checks of an agent', () => {
  const summary = (hash: string, more: object = {}) =>
    message('p:sca', { type: 'summary', policy_id: 'cis_debian12', hash, passed: 1, failed: 1, ...more })
  const result = message('p:sca', { type: 'check', policy_id: 'cis_debian12', check: { id: 1 } })
  const end = (sent: number) => message('p:sca', { type: 'dump_end', policy_id: 'cis_debian12', elements_sent: sent })

  it('are asked for when a policy is new, and known once all came', () => {
    expect(sync.answer(summary('h1', { first_scan: 1 }), start)).toBe('sca-dump:cis_debian12:1')
    for (const text of [result, result, end(2)]) expect(sync.answer(text, start + 5)).toBeUndefined()
    expect(complete).toEqual([{ kinds: ['check'], keyPrefix: 'cis_debian12/', since: start }])
    expect(connect().answer(summary('h1', { first_scan: 1 }), start + hourMs)).toBeUndefined()
  })

  it('are asked for again when some were lost, or changed while nobody was told', () => {
    sync.answer(summary('h1'), start)
    for (const text of [result, end(2)]) sync.answer(text, start)
    expect(complete).toEqual([])
    expect(sync.answer(summary('h1'), start + 1)).toBeUndefined()
    expect(sync.answer(summary('h1'), start + hourMs)).toBe('sca-dump:cis_debian12:0')
    for (const text of [result, result, end(2)]) sync.answer(text, start + hourMs)
    sync.answer(result, start + 2 * hourMs)
    expect(sync.answer(summary('h2'), start + 2 * hourMs)).toBeUndefined()
    expect(sync.answer(summary('h3'), start + 3 * hourMs)).toBe('sca-dump:cis_debian12:0')
  })
})

it('knows so many policies of an agent and no more', () => {
  const summary = (policy: number) =>
    message('p:sca', { type: 'summary', policy_id: `p${policy}`, hash: 'h', passed: 1, failed: 1 })
  const asked = Array.from({ length: 100 }, (_, policy) => sync.answer(summary(policy), start))
  expect(asked.filter((control) => control !== undefined)).toHaveLength(32)
  expect(known.size).toBe(32)
})

it('takes bounded room and answers in one line, whatever an agent sends', () => {
  const tables = [...inventoryTables.keys()].map((name) => `syscollector_${name}`)
  const value = fc.oneof(
    fc.string(),
    fc.string({ minLength: 2_000, maxLength: 3_000 }),
    fc.integer(),
    fc.constant(null),
  )
  const type = fc.constantFrom(
    'integrity_check_global',
    'integrity_check_left',
    'integrity_clear',
    'state',
    'summary',
    'check',
  )
  const data = fc.record({
    begin: value,
    end: value,
    id: value,
    checksum: value,
    index: value,
    attributes: fc.dictionary(fc.string(), value),
  })
  const body = fc.record({
    component: fc.oneof(fc.constantFrom(...tables), fc.string()),
    type,
    data,
    policy_id: fc.oneof(
      fc.integer().map((id) => `p${id}`),
      fc.string(),
    ),
    hash: value,
  })
  const sent = fc.tuple(fc.constantFrom('5:x', 'd:x', 'p:x'), body).map(([queue, what]) => message(queue, what))
  fc.assert(
    fc.property(fc.array(fc.oneof(sent, fc.string()), { maxLength: 200 }), (texts) => {
      const memory: SyncMemory = new Map()
      const each = new InventorySync(memory)
      for (const [at, text] of texts.entries()) {
        const control = each.answer(text, start + at * 2 * hourMs)
        if (control !== undefined) expect(control).toMatch(/^[ -\u{10ffff}]{1,8000}$/u)
      }
      expect(memory.size).toBeLessThanOrEqual(tables.length + 32)
      expect(JSON.stringify([...memory]).length).toBeLessThan(100_000)
    }),
    { numRuns: 200 },
  )
})

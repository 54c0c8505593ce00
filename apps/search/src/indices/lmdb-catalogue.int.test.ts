import { createLogger } from '@logstack/logging'
import { tempDir } from '@logstack/testkit'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createStore } from '../store/lmdb-store.ts'
import type { Store } from '../store/store.ts'
import { createCatalogue, type OwnedCatalogue } from './lmdb-catalogue.ts'
import { recordingEngine } from './recording-engine.fake.ts'
import type { ResolveOptions } from './resolve.ts'

const nowMs = Date.UTC(2026, 10, 21, 10)
let directory = tempDir('logstack-catalogue')
let engine = recordingEngine()
let store: Store
let catalogue: OwnedCatalogue

async function open(): Promise<void> {
  store = createStore(directory.path)
  catalogue = await createCatalogue({ store, engine, now: () => nowMs, logger: createLogger('search', 'silent') })
}
async function reopen(): Promise<void> {
  await catalogue.purged()
  await store.close()
  engine = recordingEngine()
  await open()
}
beforeEach(async () => {
  directory = tempDir('logstack-catalogue')
  engine = recordingEngine()
  await open()
})
afterEach(async () => {
  await catalogue.purged()
  await store.close()
  directory.remove()
})

const lenient: ResolveOptions = { ignoreUnavailable: false, allowNoIndices: true, expand: ['open'], forbidClosed: true }
const names = (expression: string, options: Partial<ResolveOptions> = {}): string[] =>
  catalogue.resolve(expression, { ...lenient, ...options }).map(({ index }) => index.name)
const failing = (code: string, message?: string) =>
  expect.objectContaining({ code, ...(message === undefined ? {} : { message }) })

describe('indices', () => {
  it('are as they were after a restart: settings, mapping, aliases, columns, cluster id', async () => {
    const index = await catalogue.createIndex({
      name: 'logs-1',
      settings: { index: { number_of_replicas: 2 } },
      mappings: { properties: { 'host.name': { type: 'keyword' } } },
      aliases: { current: { is_write_index: true } },
    })
    await catalogue.mergeMapping(index, { properties: { n: { type: 'long' } } })
    await catalogue.ensureColumns(catalogue.table(index.table), [{ path: 'n', type: 'long', many: true }])
    const before = catalogue.index('logs-1')
    const uuid = catalogue.clusterUuid
    await reopen()
    expect(catalogue.index('logs-1')).toEqual(before)
    expect(catalogue.clusterUuid).toBe(uuid)
    expect(before?.settings).toMatchObject({ number_of_replicas: '2', number_of_shards: '1', provided_name: 'logs-1' })
    expect(before?.mapping.properties?.['host']).toEqual({ properties: { name: { type: 'keyword' } } })
    expect(before?.mappingVersion).toBe(2)
    expect(catalogue.column(catalogue.table(index.table), 'n', 'long')).toMatchObject({
      name: 'c1_n',
      manyName: 'm1_n',
    })
  })

  it('have no replicas unless asked, and their own number for ever', async () => {
    const first = await catalogue.createIndex({ name: 'a' })
    expect(first.settings['number_of_replicas']).toBe('0')
    await catalogue.deleteIndex(first)
    const second = await catalogue.createIndex({ name: 'a' })
    expect(second.id).toBeGreaterThan(first.id)
    expect(second.uuid).not.toBe(first.uuid)
  })

  it('are refused when the name is taken or not allowed', async () => {
    const { uuid } = await catalogue.createIndex({ name: 'a', aliases: { b: {} } })
    await expect(catalogue.createIndex({ name: 'a' })).rejects.toThrow(
      failing('resource_already_exists_exception', `index [a/${uuid}] already exists`),
    )
    await expect(catalogue.createIndex({ name: 'b' })).rejects.toThrow(
      failing('invalid_index_name_exception', 'Invalid index name [b], already exists as alias'),
    )
    await expect(catalogue.createIndex({ name: 'A' })).rejects.toThrow(failing('invalid_index_name_exception'))
    await expect(catalogue.createIndex({ name: 'c', aliases: { a: {} } })).rejects.toThrow(
      failing(
        'invalid_alias_name_exception',
        'Invalid alias name [a]: an index or data stream exists with the same name as the alias',
      ),
    )
    expect(names('*')).toEqual(['a'])
  })

  it('made at once under one name are made once', async () => {
    const targets = await Promise.all(
      Array.from({ length: 5 }, () => catalogue.writeTarget('new', { requireAlias: false, create: true })),
    )
    expect(new Set(targets.map(({ index }) => index.id)).size).toBe(1)
  })
})

describe('mappings of indices', () => {
  it('keep a mapping that a conflicting change left alone', async () => {
    const index = await catalogue.createIndex({ name: 'a', mappings: { properties: { x: { type: 'long' } } } })
    await expect(
      catalogue.mergeMapping(index, { properties: { x: { type: 'keyword' }, y: { type: 'ip' } } }),
    ).rejects.toThrow(
      failing('illegal_argument_exception', 'mapper [x] cannot be changed from type [long] to [keyword]'),
    )
    expect(catalogue.index('a')?.mapping).toEqual({ properties: { x: { type: 'long' } } })
    expect(await catalogue.mergeMapping(index, { properties: { x: { type: 'long' } } })).toBe(catalogue.index('a'))
  })

  it('take the wider mapping a document brought', async () => {
    const index = await catalogue.createIndex({ name: 'a' })
    const mapped = catalogue.mapDocument(index, index.mapping, { level: 'info' })
    if (mapped.mapping === undefined) throw new Error('no wider mapping')
    const changed = await catalogue.mergeMapping(index, mapped.mapping)
    expect([...catalogue.fields(changed).keys()]).toEqual(['level', 'level.keyword'])
  })
})

/** Two indices under one alias (one filtered, one closed), another, and a hidden one. */
async function makeNames(): Promise<void> {
  for (const name of ['logs-1', 'logs-2', 'other']) await catalogue.createIndex({ name })
  await catalogue.createIndex({ name: '.hidden', settings: { hidden: true } })
  const [one, two] = [catalogue.index('logs-1'), catalogue.index('logs-2')]
  if (!one || !two) throw new Error('not made')
  await catalogue.putAliases([
    { index: one, alias: 'some', meta: { filter: { term: { a: 1 } } } },
    { index: two, alias: 'some', meta: {} },
  ])
  await catalogue.setState(two, 'close')
}

describe('names', () => {
  beforeEach(makeNames)

  it('lead to indices through wildcards, exclusions, aliases and states', () => {
    expect(names('*')).toEqual(['logs-1', 'other'])
    expect(names('_all', { expand: ['open', 'closed', 'hidden'], ignoreUnavailable: true })).toHaveLength(3)
    expect(names('*,-logs-*')).toEqual(['other'])
    expect(names('.hid*')).toEqual(['.hidden'])
    expect(names('som*')).toEqual(['logs-1'])
    expect(names('some', { forbidClosed: false })).toEqual(['logs-1', 'logs-2'])
    expect(names('other,logs-1')).toEqual(['logs-1', 'other'])
    expect(names('nothing*')).toEqual([])
  })
})

describe('aliases', () => {
  beforeEach(makeNames)

  it('find nothing through aliases where these are ignored', () => {
    expect(names('som*,oth*', { ignoreAliases: true })).toEqual(['other'])
    expect(names('some', { ignoreAliases: true, forbidClosed: false })).toEqual(['logs-1', 'logs-2'])
  })

  it('pass from an index to an alias in one change', async () => {
    const [old, heir] = [catalogue.index('other'), catalogue.index('logs-1')]
    if (!old || !heir) throw new Error('not made')
    await expect(catalogue.putAliases([{ index: heir, alias: 'other', meta: {} }])).rejects.toThrow(
      failing('invalid_alias_name_exception'),
    )
    await catalogue.putAliases([{ index: heir, alias: 'other', meta: {} }], [old])
    expect(names('other')).toEqual(['logs-1'])
    expect(catalogue.index('other')).toBeUndefined()
  })

  it('carry the filter of an alias only when nothing else leads to the index', () => {
    const filters = (expression: string) =>
      catalogue.resolve(expression, { ...lenient, ignoreUnavailable: true })[0]?.aliasFilters
    expect(filters('some')).toEqual([{ term: { a: 1 } }])
    expect(filters('some,logs-1')).toEqual([])
    expect(filters('logs-1,some')).toEqual([])
  })

  it('that lead nowhere are errors unless that is allowed', () => {
    expect(() => names('absent')).toThrow(failing('index_not_found_exception', 'no such index [absent]'))
    expect(names('absent,other', { ignoreUnavailable: true })).toEqual(['other'])
    expect(() => names('nothing*', { allowNoIndices: false })).toThrow(failing('index_not_found_exception'))
    expect(() => names('logs-2')).toThrow(failing('index_closed_exception', 'closed'))
    expect(() => names('_x')).toThrow(failing('invalid_index_name_exception'))
  })

  it('are written to through aliases only when it is clear where', async () => {
    const target = (name: string, requireAlias = false) => catalogue.writeTarget(name, { requireAlias, create: false })
    await expect(target('some')).rejects.toThrow(failing('illegal_argument_exception'))
    await expect(target('absent')).rejects.toThrow(failing('index_not_found_exception'))
    await expect(target('other', true)).rejects.toThrow(
      failing(
        'index_not_found_exception',
        'no such index [other] and [require_alias] request flag is [true] and [other] is not an alias',
      ),
    )
    const one = catalogue.index('logs-1')
    if (one) await catalogue.putAliases([{ index: one, alias: 'some', meta: { is_write_index: true } }])
    expect((await target('some')).index.name).toBe('logs-1')
    expect((await catalogue.writeTarget('<day-{now/d}>', { requireAlias: false, create: true })).index.name).toBe(
      'day-2026.11.21',
    )
  })
})

describe('templates', () => {
  const put = async (collection: string, name: string, body: unknown) => {
    await store.transaction(() => catalogue.collection(collection).put(name, body))
  }

  it('compose: components in their order, the template last, the request above all', async () => {
    await put('component_template', 'c1', {
      template: {
        settings: { number_of_replicas: 1, priority: 5 },
        mappings: { properties: { a: { type: 'text' }, b: { type: 'ip' } } },
      },
    })
    await put('template', 'old', {
      index_patterns: ['*'],
      order: 0,
      settings: { priority: 99 },
      mappings: {},
      aliases: {},
    })
    await catalogue.putIndexTemplate('low', { index_patterns: 'app-*', template: { settings: { priority: 1 } } })
    await catalogue.putIndexTemplate('high', {
      index_patterns: ['app-*'],
      priority: 10,
      composed_of: ['c1'],
      template: {
        settings: { priority: 7 },
        mappings: { properties: { a: { type: 'keyword' } } },
        aliases: { 'all-{index}': { routing: 'r' } },
      },
    })
    const index = await catalogue.createIndex({ name: 'app-1', settings: { number_of_replicas: 0 } })
    expect(index.settings).toMatchObject({ priority: '7', number_of_replicas: '0' })
    expect(index.mapping.properties).toEqual({ a: { type: 'keyword' }, b: { type: 'ip' } })
    expect(index.aliases).toEqual({ 'all-app-1': { index_routing: 'r', search_routing: 'r' } })
    expect((await catalogue.createIndex({ name: 'else' })).settings['priority']).toBe('99')
  })

  it('are refused when they contradict others or name what is not there', async () => {
    await catalogue.putIndexTemplate('one', { index_patterns: ['logs-*'], priority: 5 })
    await expect(catalogue.putIndexTemplate('two', { index_patterns: ['logs-a*'], priority: 5 })).rejects.toThrow(
      failing(
        'illegal_argument_exception',
        'index template [two] has index patterns [logs-a*] matching patterns from existing templates [one] with patterns (one => [logs-*]) that have the same priority [5], multiple index templates may not match during index creation, please use a different priority',
      ),
    )
    // A longer list is refused for the one pattern that another template of that priority has, too.
    await expect(catalogue.putIndexTemplate('two', { index_patterns: ['else', 'logs*'], priority: 5 })).rejects.toThrow(
      failing('illegal_argument_exception'),
    )
    await expect(catalogue.putIndexTemplate('x', { index_patterns: ['x'], composed_of: ['gone'] })).rejects.toThrow(
      failing('invalid_index_template_exception'),
    )
    await expect(
      catalogue.putIndexTemplate('y', {
        index_patterns: ['y'],
        template: { mappings: { properties: { a: { type: 'no' } } } },
      }),
    ).rejects.toThrow(
      failing('illegal_argument_exception', 'composable template [y] template after composition is invalid'),
    )
  })
})

describe('templates of one priority', () => {
  it('whose patterns are told apart by their letters stand side by side, and the first name wins where both fit', async () => {
    const named = (priority: number, pattern: string) => ({
      index_patterns: [pattern],
      priority: 5,
      template: { settings: { priority } },
    })
    await catalogue.putIndexTemplate('web-b', named(1, 'app-*-web-*'))
    await catalogue.putIndexTemplate('web-a', named(2, 'app-*-web_old-*'))
    const priorityOf = async (name: string) => (await catalogue.createIndex({ name })).settings['priority']
    expect(await priorityOf('app-x-web-1')).toBe('1')
    expect(await priorityOf('app-x-web_old-1')).toBe('2')
    expect(await priorityOf('app-x-web_old-web-1')).toBe('2')
    const added = named(3, 'app-*-web_new-*')
    const simulated = catalogue.simulateTemplate({ index: 'app-x-web_new-web-1', template: 'web-0', added })
    expect([simulated?.name, simulated?.overlapping.map(({ name }) => name)]).toEqual(['web-0', ['web-b']])
  })
})

describe('data streams', () => {
  it('are made at the first write, with backing indices that roll over', async () => {
    await catalogue.putIndexTemplate('logs', { index_patterns: ['logs-*-*'], priority: 100, data_stream: {} })
    const { index, dataStream } = await catalogue.writeTarget('logs-app-default', { requireAlias: false, create: true })
    expect([index.name, dataStream, index.hidden]).toEqual([
      '.ds-logs-app-default-2026.11.21-000001',
      'logs-app-default',
      true,
    ])
    expect(index.mapping.properties?.['@timestamp']).toEqual({ type: 'date' })
    const rolled = await catalogue.rolloverDataStream('logs-app-default')
    expect(rolled.indices).toEqual(['.ds-logs-app-default-2026.11.21-000001', '.ds-logs-app-default-2026.11.21-000002'])
    await reopen()
    expect(catalogue.dataStream('logs-app-default')).toEqual(rolled)
    expect(names('logs-*')).toEqual(rolled.indices)
    expect(names('*,-logs-app*')).toEqual([])
    await expect(catalogue.createIndex({ name: 'logs-x-y' })).rejects.toThrow(failing('illegal_argument_exception'))
    await expect(catalogue.createDataStream('nothing')).rejects.toThrow(
      failing('illegal_argument_exception', 'no matching index template found for data stream [nothing]'),
    )
    await catalogue.deleteDataStream('logs-app-default')
    expect(names('*', { expand: ['open', 'hidden'] })).toEqual([])
  })
})

describe('tables', () => {
  it('are one a family, made before the index is seen', async () => {
    const made = await Promise.all(
      ['beat-2026.11.20', 'beat-2026.11.21', 'else'].map((name) => catalogue.createIndex({ name })),
    )
    expect(made[0]?.table).toBe(made[1]?.table)
    expect(made[2]?.table).not.toBe(made[0]?.table)
    expect(engine.statements.filter((text) => text.startsWith('CREATE TABLE'))).toHaveLength(2)
    engine.refuse = /CREATE TABLE/
    await expect(catalogue.createIndex({ name: 'third' })).rejects.toThrow('refused by the test')
    expect(catalogue.index('third')).toBeUndefined()
  })

  it('get columns in the catalogue first and show them when the engine has them', async () => {
    const { table } = await catalogue.createIndex({ name: 'a' })
    engine.refuse = /ALTER TABLE/
    const needed = [{ path: 'n', type: 'long', many: false }] as const
    await expect(catalogue.ensureColumns(catalogue.table(table), needed)).rejects.toThrow('refused by the test')
    expect(catalogue.column(catalogue.table(table), 'n', 'long')).toBeUndefined()
    engine.refuse = undefined
    const widened = await catalogue.ensureColumns(catalogue.table(table), needed)
    expect(widened.columns.map(({ name }) => name)).toEqual(['c2_n'])
    const count = engine.statements.length
    expect(await catalogue.ensureColumns(widened, needed)).toBe(widened)
    expect(engine.statements).toHaveLength(count)
  })

  it('are made whole again at the next start', async () => {
    const { table } = await catalogue.createIndex({ name: 'a' })
    await catalogue.ensureColumns(catalogue.table(table), [{ path: 'n', type: 'long', many: true }])
    await store.close()
    const { name } = catalogue.table(table)
    engine = recordingEngine()
    engine.columns = [
      [name, '_seq', 'CODEC(Delta(8), ZSTD(1))'],
      [name, '_version', 'CODEC(T64, ZSTD(1))'],
      [name, 'c1_n', ''],
    ]
    await open()
    expect(engine.statements).toEqual([
      // One that an earlier version made.
      `ALTER TABLE \`${name}\` ADD COLUMN IF NOT EXISTS _message_at UInt32`,
      `ALTER TABLE \`${name}\` ADD COLUMN IF NOT EXISTS \`m1_n\` Array(Int64)`,
      `ALTER TABLE \`${name}\` MODIFY COLUMN \`_seq\` CODEC(T64, ZSTD(1)), MODIFY COLUMN \`c1_n\` CODEC(T64, ZSTD(1))`,
      `ALTER TABLE \`${name}\` MODIFY SETTING min_bytes_for_wide_part = 33554432, max_compress_block_size = 0, concurrent_part_removal_threshold = 1000000`,
    ])
  })
})

describe('rows of deleted indices', () => {
  it('wait for room to be rewritten without, or until their partition goes whole', async () => {
    const days = Array.from({ length: 9 }, (_, day) => `x-${day}`)
    const made = []
    for (const name of days) made.push(await catalogue.createIndex({ name }))
    const [first, second, ...others] = made
    if (!first || !second) throw new Error('not made')
    const { name } = catalogue.table(first.table)
    const rewriting = (ids: string) => `ALTER TABLE \`${name}\` DELETE IN PARTITION 0 WHERE _index IN (${ids})`
    engine.room = [2 ** 30, 2 ** 30]
    await catalogue.deleteIndex(first)
    // Nothing will free its space by waiting, so it does not count as under way.
    expect(await catalogue.purge()).toBe(0)
    expect(engine.statements.join()).not.toContain('DELETE IN PARTITION')
    engine.room = [2 ** 30, 2 ** 31]
    expect(await catalogue.purge()).toBe(0)
    expect(engine.statements).toContain(rewriting(String(first.id)))
    engine.room = [2 ** 30, 2 ** 30]
    for (const index of [second, ...others.slice(0, 6)]) await catalogue.deleteIndex(index)
    await catalogue.purge()
    expect(engine.statements.at(-1)).toBe(`ALTER TABLE \`${name}\` DROP PARTITION 0`)
  })

  it('go in the background, also after a restart', async () => {
    const [a, b] = await Promise.all(['x-1', 'x-2'].map((name) => catalogue.createIndex({ name })))
    if (!a || !b) throw new Error('not made')
    const { name } = catalogue.table(a.table)
    engine.refuse = /DELETE/
    await catalogue.deleteIndex(a)
    expect(catalogue.index('x-1')).toBeUndefined()
    await reopen()
    await catalogue.purged()
    expect(engine.statements).toContain(`ALTER TABLE \`${name}\` DELETE IN PARTITION 0 WHERE _index IN (${a.id})`)
    const again = catalogue.index('x-2')
    if (again) await catalogue.deleteIndex(again)
    await catalogue.purged()
    expect(engine.statements.at(-1)).toBe(`DROP TABLE IF EXISTS \`${name}\` SYNC`)
    expect((await catalogue.createIndex({ name: 'x-3' })).table).not.toBe(b.table)
  })
})

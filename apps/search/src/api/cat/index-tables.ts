import { fitsStars } from '@logstack/rules'
import { resolveOptions } from '../../indices/resolve-options.ts'
import { healthOf, shardsOf } from '../../indices/shards.ts'
import type { IndexMeta } from '../../model/index-meta.ts'
import { needOf } from '../../security/actions.ts'
import type { Services } from '../../services.ts'
import { defineRoute, type Route, type RouteRequest } from '../define-route.ts'
import { heldFields } from '../indices/field-bytes.ts'
import { figuresOf } from '../indices/index-stats.ts'
import { type Figures, joinFigures } from '../indices/stats-sections.ts'
import { indicesOptionParameters, resolveAuthorized } from '../resources/authorized-indices.ts'
import { countDocuments } from '../search/count.ts'
import { asksHeldFields, indexStatistics, shardStatistics } from './statistics-columns.ts'
import { type CatColumn, catAnswer, catParameters } from './table.ts'

/** An index with its figures. */
interface IndexRow extends Figures {
  readonly index: IndexMeta
}

async function measured(request: RouteRequest, services: Services, route: string, all = false): Promise<IndexRow[]> {
  const expression = request.params['index'] ?? ''
  const options = resolveOptions(request.query, {
    expand: all || expression.startsWith('.') ? ['open', 'closed', 'hidden'] : ['open', 'closed'],
  })
  const found = resolveAuthorized(request, services, { route, privilege: 'monitor', expression, options })
  const asksHeld = asksHeldFields(request.query)
  return Promise.all(
    found.map(async ({ index }) => {
      const held = asksHeld ? { held: await heldFields(services, index) } : {}
      return { index, ...(await figuresOf(services, index)), ...held }
    }),
  )
}

type Column<Row> = CatColumn<Row>

const replicas = (index: IndexMeta): number => Number(index.settings['number_of_replicas'] ?? 0)

const indexColumns: readonly Column<IndexRow>[] = [
  {
    name: 'health',
    aliases: ['h'],
    description: 'current health status',
    shown: true,
    cell: ({ index }) => healthOf(index),
  },
  { name: 'status', aliases: ['s'], description: 'open/close status', shown: true, cell: ({ index }) => index.state },
  { name: 'index', aliases: ['i', 'idx'], description: 'index name', shown: true, cell: ({ index }) => index.name },
  { name: 'uuid', aliases: ['id', 'uuid'], description: 'index uuid', shown: true, cell: ({ index }) => index.uuid },
  {
    name: 'pri',
    aliases: ['p', 'shards.primary', 'shardsPrimary'],
    description: 'number of primary shards',
    shown: true,
    right: true,
    cell: ({ index }) => shardsOf(index).primaries,
  },
  {
    name: 'rep',
    aliases: ['r', 'shards.replica', 'shardsReplica'],
    description: 'number of replica shards',
    shown: true,
    right: true,
    cell: ({ index }) => replicas(index),
  },
  {
    name: 'docs.count',
    aliases: ['dc', 'docsCount'],
    description: 'available docs',
    shown: true,
    right: true,
    cell: (row) => open(row, row.documents),
  },
  {
    name: 'docs.deleted',
    aliases: ['dd', 'docsDeleted'],
    description: 'deleted docs',
    shown: true,
    right: true,
    cell: (row) => open(row, row.deleted),
  },
  {
    name: 'creation.date',
    aliases: ['cd'],
    description: 'index creation date (millisecond value)',
    cell: ({ index }) => index.createdAtMs,
  },
  {
    name: 'creation.date.string',
    aliases: ['cds'],
    description: 'index creation date (as string)',
    cell: ({ index }) => new Date(index.createdAtMs).toISOString(),
  },
  {
    name: 'store.size',
    aliases: ['ss', 'storeSize'],
    description: 'store size of primaries & replicas',
    shown: true,
    right: true,
    cell: (row) => open(row, { bytes: row.bytes }),
  },
  {
    name: 'pri.store.size',
    aliases: [],
    description: 'store size of primaries',
    shown: true,
    right: true,
    cell: (row) => open(row, { bytes: row.bytes }),
  },
  {
    name: 'dataset.size',
    aliases: [],
    description: 'total size of dataset',
    shown: true,
    right: true,
    cell: (row) => open(row, { bytes: row.bytes }),
  },
  ...indexStatistics<IndexRow>((row) => open(row, row)),
]

/** Figures of a closed index are not shown. */
function open<T>(row: IndexRow, value: T): T | undefined {
  return row.index.state === 'open' ? value : undefined
}

const nothing: Figures = joinFigures([])

const catIndices = defineRoute({
  name: 'cat.indices',
  methods: ['GET'],
  paths: ['/_cat/indices', '/_cat/indices/{index}'],
  privilege: { cluster: 'monitor' },
  parameters: {
    ...catParameters,
    ...indicesOptionParameters,
    pri: 'boolean',
    health: ['green', 'yellow', 'red'],
    include_unloaded_segments: 'boolean',
  },
  handle: (request, services) =>
    catAnswer(request, indexColumns, async () => {
      const rows = await measured(request, services, 'cat.indices')
      const health = request.query['health']
      return rows.filter(({ index }) => health === undefined || healthOf(index) === health)
    }),
})

interface ShardRow extends IndexRow {
  readonly shard: number
  /** Undefined: the primary. */
  readonly replica: number | undefined
  readonly node: string
  readonly nodeId: string
}

const assigned = <T>(row: ShardRow, value: T): T | undefined => (row.replica === undefined ? value : undefined)
const waiting = <T>(row: ShardRow, value: T): T | undefined => (row.replica === undefined ? undefined : value)
const first = (row: ShardRow, value: number): number => (row.shard === 0 ? value : 0)

const shardColumns: readonly Column<ShardRow>[] = [
  { name: 'index', aliases: ['i', 'idx'], description: 'index name', shown: true, cell: ({ index }) => index.name },
  { name: 'shard', aliases: ['s', 'sh'], description: 'shard name', shown: true, cell: ({ shard }) => shard },
  {
    name: 'prirep',
    aliases: ['p', 'pr', 'primaryOrReplica'],
    description: 'primary or replica',
    shown: true,
    cell: ({ replica }) => (replica === undefined ? 'p' : 'r'),
  },
  {
    name: 'state',
    aliases: ['st'],
    description: 'shard state',
    shown: true,
    cell: ({ replica }) => (replica === undefined ? 'STARTED' : 'UNASSIGNED'),
  },
  {
    name: 'docs',
    aliases: ['d', 'dc'],
    description: 'number of docs in shard',
    shown: true,
    right: true,
    cell: (row) => assigned(row, first(row, row.documents)),
  },
  {
    name: 'store',
    aliases: ['sto'],
    description: 'store size of shard (how much disk it uses)',
    shown: true,
    right: true,
    cell: (row) => assigned(row, { bytes: first(row, row.bytes) }),
  },
  {
    name: 'dataset',
    aliases: [],
    description: 'total size of dataset',
    shown: true,
    right: true,
    cell: (row) => assigned(row, { bytes: first(row, row.bytes) }),
  },
  {
    name: 'ip',
    aliases: [],
    description: 'ip of node where it lives',
    shown: true,
    cell: (row) => assigned(row, '127.0.0.1'),
  },
  {
    name: 'id',
    aliases: [],
    description: 'unique id of node where it lives',
    cell: (row) => assigned(row, row.nodeId),
  },
  {
    name: 'node',
    aliases: ['n'],
    description: 'name of node where it lives',
    shown: true,
    cell: (row) => assigned(row, row.node),
  },
  {
    name: 'unassigned.reason',
    aliases: ['ur'],
    description: 'reason shard became unassigned',
    cell: (row) => waiting(row, 'REPLICA_ADDED'),
  },
  {
    name: 'unassigned.at',
    aliases: ['ua'],
    description: 'time shard became unassigned (UTC)',
    cell: (row) => waiting(row, new Date(row.index.createdAtMs).toISOString()),
  },
  {
    name: 'unassigned.for',
    aliases: ['uf'],
    description: 'time has been unassigned',
    right: true,
    cell: (row) => waiting(row, { ms: Math.max(0, Date.now() - row.index.createdAtMs) }),
  },
  {
    name: 'unassigned.details',
    aliases: ['ud'],
    description: 'additional details as to why the shard became unassigned',
    cell: (row) => waiting(row, 'a copy of a shard cannot be on the node of its primary, and there is one node'),
  },
  // All documents of an index are those of its first shard, for there is one table under them all.
  ...shardStatistics<ShardRow>((row) => assigned(row, row.shard === 0 ? row : nothing)),
]

const catShards = defineRoute({
  name: 'cat.shards',
  methods: ['GET'],
  paths: ['/_cat/shards', '/_cat/shards/{index}'],
  privilege: { cluster: 'monitor' },
  parameters: { ...catParameters, ...indicesOptionParameters },
  handle: (request, services) =>
    catAnswer(request, shardColumns, async () => {
      const rows = await measured(request, services, 'cat.shards', true)
      const place = { node: services.nodeName, nodeId: services.catalogue.clusterUuid }
      return rows.flatMap((row) => {
        const copies = [undefined, ...Array.from({ length: replicas(row.index) }, (_, at) => at)]
        return Array.from({ length: shardsOf(row.index).primaries }, (_, shard) =>
          copies.map((replica) => ({ ...row, ...place, shard, replica })),
        ).flat()
      })
    }),
})

interface Count {
  readonly nowMs: number
  readonly count: number
}

const countColumns: readonly Column<Count>[] = [
  {
    name: 'epoch',
    aliases: ['t', 'time'],
    description: 'seconds since 1970-01-01 00:00:00',
    shown: true,
    cell: ({ nowMs }) => Math.floor(nowMs / 1000),
  },
  {
    name: 'timestamp',
    aliases: ['ts', 'hms', 'hhmmss'],
    description: 'time in HH:MM:SS',
    shown: true,
    cell: ({ nowMs }) => new Date(nowMs).toISOString().slice(11, 19),
  },
  {
    name: 'count',
    aliases: ['dc', 'docs.count', 'docsCount'],
    description: 'the document count',
    shown: true,
    cell: ({ count }) => count,
  },
]

const catCount = defineRoute({
  name: 'cat.count',
  methods: ['GET', 'POST'],
  paths: ['/_cat/count', '/_cat/count/{index}'],
  privilege: { index: 'read' },
  parameters: { ...catParameters },
  handle: (request, services) =>
    catAnswer(request, countColumns, async () => {
      const { count } = await countDocuments(request, services, 'cat.count')
      return [{ nowMs: services.now(), count }]
    }),
})

interface AliasRow {
  readonly alias: string
  readonly index: IndexMeta
}

const aliasMeta = ({ alias, index }: AliasRow) => index.aliases[alias]

const aliasColumns: readonly Column<AliasRow>[] = [
  { name: 'alias', aliases: ['a'], description: 'alias name', shown: true, cell: ({ alias }) => alias },
  {
    name: 'index',
    aliases: ['i', 'idx'],
    description: 'index alias points to',
    shown: true,
    cell: ({ index }) => index.name,
  },
  {
    name: 'filter',
    aliases: ['f', 'fi'],
    description: 'filter',
    shown: true,
    cell: (row) => (aliasMeta(row)?.filter === undefined ? '-' : '*'),
  },
  {
    name: 'routing.index',
    aliases: ['ri', 'routingIndex'],
    description: 'index routing',
    shown: true,
    cell: (row) => aliasMeta(row)?.index_routing ?? '-',
  },
  {
    name: 'routing.search',
    aliases: ['rs', 'routingSearch'],
    description: 'search routing',
    shown: true,
    cell: (row) => aliasMeta(row)?.search_routing ?? '-',
  },
  {
    name: 'is_write_index',
    aliases: ['w', 'isWriteIndex'],
    description: 'write index',
    shown: true,
    cell: (row) => String(aliasMeta(row)?.is_write_index ?? '-'),
  },
]

const { wanted: getAliases } = needOf('cat.aliases', 'index', 'view_index_metadata')

const catAliases = defineRoute({
  name: 'cat.aliases',
  methods: ['GET'],
  paths: ['/_cat/aliases', '/_cat/aliases/{name}'],
  privilege: { index: 'view_index_metadata' },
  somewhere: { privilege: 'view_index_metadata', of: 'items' },
  parameters: { ...catParameters },
  handle: (request, { catalogue }) =>
    catAnswer(request, aliasColumns, () => {
      const patterns = request.params['name']?.split(',') ?? ['*']
      const expand = request.query['expand_wildcards'] as string[] | undefined
      const withHidden = !expand || expand.includes('all') || expand.includes('hidden')
      return [...catalogue.indices()]
        .filter((index) => withHidden || !index.hidden)
        .flatMap((index) => Object.keys(index.aliases).map((alias) => ({ alias, index })))
        .filter(({ alias, index }) => [alias, index.name].some((name) => request.scope.hasIndex(getAliases, name)))
        .filter(({ alias }) => patterns.some((pattern) => fitsStars(alias, pattern)))
    }),
})

/** `_cat` tables about indices. */
export const indexTables: readonly Route[] = [catIndices, catShards, catCount, catAliases]

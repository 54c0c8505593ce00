import { shardsOf } from '../../indices/shards.ts'
import type { IndexMeta } from '../../model/index-meta.ts'
import type { Services } from '../../services.ts'
import { defineRoute, type Route } from '../define-route.ts'
import { indicesOf } from '../indices/index-admin.ts'
import { indicesOptionParameters } from '../resources/authorized-indices.ts'
import { type CatColumn, type Cell, catAnswer, catParameters } from './table.ts'

interface ShardRow {
  readonly index: IndexMeta
  readonly shard: number
  readonly documents: number
  readonly deleted: number
  readonly bytes: number
  readonly services: Services
}

type Column = CatColumn<ShardRow>

function column(name: string, aliases: readonly string[], description: string, cell: (row: ShardRow) => Cell): Column {
  return { name, aliases, description, cell, shown: true }
}

const none = (): Cell => 'n/a'
const percent = (): Cell => '100.0%'
const madeAt = ({ index, services }: ShardRow): number => Math.max(index.createdAtMs, services.startedAtMs)
const isOld = ({ index, services }: ShardRow): boolean =>
  index.createdAtMs < services.startedAtMs || index.state === 'close'
const firstBytes = ({ shard, bytes }: ShardRow): Cell => ({ bytes: shard === 0 ? bytes : 0 })

const recoveryColumns: readonly Column[] = [
  column('index', ['i', 'idx'], 'index name', ({ index }) => index.name),
  column('shard', ['s', 'sh'], 'shard name', ({ shard }) => shard),
  {
    ...column('start_time', ['start'], 'recovery start time', (row) => new Date(madeAt(row)).toISOString()),
    shown: false,
  },
  {
    ...column('start_time_millis', ['start_millis'], 'recovery start time in epoch milliseconds', madeAt),
    shown: false,
  },
  {
    ...column('stop_time', ['stop'], 'recovery stop time', (row) => new Date(madeAt(row)).toISOString()),
    shown: false,
  },
  { ...column('stop_time_millis', ['stop_millis'], 'recovery stop time in epoch milliseconds', madeAt), shown: false },
  column('time', ['t', 'ti'], 'recovery time', () => ({ ms: 0 })),
  column('type', ['ty'], 'recovery type', (row) => (isOld(row) ? 'existing_store' : 'empty_store')),
  column('stage', ['st'], 'recovery stage', () => 'done'),
  column('source_host', ['shost'], 'source host', none),
  column('source_node', ['snode'], 'source node name', none),
  column('target_host', ['thost'], 'target host', () => '127.0.0.1'),
  column('target_node', ['tnode'], 'target node name', ({ services }) => services.nodeName),
  column('repository', ['rep'], 'repository', none),
  column('snapshot', ['snap'], 'snapshot', none),
  column('files', ['f'], 'number of files to recover', () => 0),
  column('files_recovered', ['fr'], 'files recovered', () => 0),
  column('files_percent', ['fp'], 'percent of files recovered', percent),
  column('files_total', ['tf'], 'total number of files', () => 0),
  column('bytes', ['b'], 'number of bytes to recover', () => ({ bytes: 0 })),
  column('bytes_recovered', ['br'], 'bytes recovered', () => ({ bytes: 0 })),
  column('bytes_percent', ['bp'], 'percent of bytes recovered', percent),
  column('bytes_total', ['tb'], 'total number of bytes', firstBytes),
  column('translog_ops', ['to'], 'number of translog ops to recover', () => 0),
  column('translog_ops_recovered', ['tor'], 'translog ops recovered', () => 0),
  column('translog_ops_percent', ['top'], 'percent of translog ops recovered', percent),
]

const segmentColumns: readonly Column[] = [
  column('index', ['i', 'idx'], 'index name', ({ index }) => index.name),
  column('shard', ['s', 'sh'], 'shard name', ({ shard }) => shard),
  column('prirep', ['p', 'pr', 'primaryOrReplica'], 'primary or replica', () => 'p'),
  column('ip', [], 'ip of node where it lives', () => '127.0.0.1'),
  {
    ...column('id', [], 'unique id of node where it lives', ({ services }) => services.catalogue.clusterUuid),
    shown: false,
  },
  column('segment', ['seg'], 'segment name', () => '_0'),
  column('generation', ['g', 'gen'], 'segment generation', () => 0),
  column('docs.count', ['dc', 'docsCount'], 'number of docs in segment', ({ documents }) => documents),
  column('docs.deleted', ['dd', 'docsDeleted'], 'number of deleted docs in segment', ({ deleted }) => deleted),
  column('size', ['si'], 'segment size in bytes', ({ bytes }) => ({ bytes })),
  column('size.memory', ['sm', 'sizeMemory'], 'segment memory in bytes', () => 0),
  column('committed', ['ic', 'isCommitted'], 'is segment committed', () => 'true'),
  column('searchable', ['is', 'isSearchable'], 'is segment searched', () => 'true'),
  column('version', ['v', 'ver'], 'version', () => '9.12.2'),
  column('compound', ['ico', 'isCompound'], 'is segment compound', () => 'false'),
]

async function rowsOf(services: Services, found: readonly IndexMeta[]): Promise<ShardRow[]> {
  const all = await Promise.all(
    found.map(async (index) => {
      const stats = await services.documents.stats(index)
      return Array.from({ length: shardsOf(index).primaries }, (_, shard) => ({ index, shard, ...stats, services }))
    }),
  )
  return all.flat()
}

const catRecovery = defineRoute({
  name: 'cat.recovery',
  methods: ['GET'],
  paths: ['/_cat/recovery', '/_cat/recovery/{index}'],
  privilege: { index: 'monitor' },
  parameters: {
    ...catParameters,
    ...indicesOptionParameters,
    active_only: 'boolean',
    detailed: 'boolean',
    index: 'list',
  },
  handle: (request, services) =>
    catAnswer(request, recoveryColumns, async () => {
      const found = indicesOf(request, services, 'cat.recovery', 'monitor', { expand: ['open', 'closed', 'hidden'] })
      // None is ever under way: shards are there when their index is.
      return request.query['active_only'] === true ? [] : rowsOf(services, found)
    }),
})

const catSegments = defineRoute({
  name: 'cat.segments',
  methods: ['GET'],
  paths: ['/_cat/segments', '/_cat/segments/{index}'],
  privilege: { cluster: 'monitor' },
  parameters: { ...catParameters, ...indicesOptionParameters },
  handle: (request, services) =>
    catAnswer(request, segmentColumns, async () => {
      const found = indicesOf(request, services, 'indices.segments', 'monitor', {
        expand: ['open', 'hidden'],
        forbidClosed: true,
      })
      // The rows of an index stand for one segment of its first shard.
      return (await rowsOf(services, found)).filter(({ shard, documents }) => shard === 0 && documents > 0)
    }),
})

/** `_cat` tables of shards: how they came to be, and what lies in them. */
export const shardTables: readonly Route[] = [catRecovery, catSegments]

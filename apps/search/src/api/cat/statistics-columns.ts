import { type Figures, type StatsSection, showSections, statsSections } from '../indices/stats-sections.ts'
import type { CatColumn, Cell } from './table.ts'

/** A figure of `_stats` as a column: its name, aliases, place among the sections, and what it says. */
type Statistic = readonly [name: string, aliases: string, place: string, description: string]

const cacheFigures: readonly Statistic[] = [
  ['completion.size', 'cs,completionSize', 'completion.size_in_bytes', 'size of completion'],
  ['fielddata.memory_size', 'fm,fielddataMemory', 'fielddata.memory_size_in_bytes', 'used fielddata cache'],
  ['fielddata.evictions', 'fe,fielddataEvictions', 'fielddata.evictions', 'fielddata evictions'],
  ['query_cache.memory_size', 'qcm,queryCacheMemory', 'query_cache.memory_size_in_bytes', 'used query cache'],
  ['query_cache.evictions', 'qce,queryCacheEvictions', 'query_cache.evictions', 'query cache evictions'],
]

/** Indices show these and `suggest`, shards do not. */
const requestCacheFigures: readonly Statistic[] = [
  ['request_cache.memory_size', 'rcm,requestCacheMemory', 'request_cache.memory_size_in_bytes', 'used request cache'],
  ['request_cache.evictions', 'rce,requestCacheEvictions', 'request_cache.evictions', 'request cache evictions'],
  ['request_cache.hit_count', 'rchc,requestCacheHitCount', 'request_cache.hit_count', 'request cache hit count'],
  ['request_cache.miss_count', 'rcmc,requestCacheMissCount', 'request_cache.miss_count', 'request cache miss count'],
]

const writeFigures: readonly Statistic[] = [
  ['flush.total', 'ft,flushTotal', 'flush.total', 'number of flushes'],
  ['flush.total_time', 'ftt,flushTotalTime', 'flush.total_time_in_millis', 'time spent in flush'],
  ['get.current', 'gc,getCurrent', 'get.current', 'number of current get ops'],
  ['get.time', 'gti,getTime', 'get.time_in_millis', 'time spent in get'],
  ['get.total', 'gto,getTotal', 'get.total', 'number of get ops'],
  ['get.exists_time', 'geti,getExistsTime', 'get.exists_time_in_millis', 'time spent in successful gets'],
  ['get.exists_total', 'geto,getExistsTotal', 'get.exists_total', 'number of successful gets'],
  ['get.missing_time', 'gmti,getMissingTime', 'get.missing_time_in_millis', 'time spent in failed gets'],
  ['get.missing_total', 'gmto,getMissingTotal', 'get.missing_total', 'number of failed gets'],
  ['indexing.delete_current', 'idc,indexingDeleteCurrent', 'indexing.delete_current', 'number of current deletions'],
  ['indexing.delete_time', 'idti,indexingDeleteTime', 'indexing.delete_time_in_millis', 'time spent in deletions'],
  ['indexing.delete_total', 'idto,indexingDeleteTotal', 'indexing.delete_total', 'number of delete ops'],
  ['indexing.index_current', 'iic,indexingIndexCurrent', 'indexing.index_current', 'number of current indexing ops'],
  ['indexing.index_time', 'iiti,indexingIndexTime', 'indexing.index_time_in_millis', 'time spent in indexing'],
  ['indexing.index_total', 'iito,indexingIndexTotal', 'indexing.index_total', 'number of indexing ops'],
  ['indexing.index_failed', 'iif,indexingIndexFailed', 'indexing.index_failed', 'number of failed indexing ops'],
  ['merges.current', 'mc,mergesCurrent', 'merges.current', 'number of current merges'],
  ['merges.current_docs', 'mcd,mergesCurrentDocs', 'merges.current_docs', 'number of current merging docs'],
  ['merges.current_size', 'mcs,mergesCurrentSize', 'merges.current_size_in_bytes', 'size of current merges'],
  ['merges.total', 'mt,mergesTotal', 'merges.total', 'number of completed merge ops'],
  ['merges.total_docs', 'mtd,mergesTotalDocs', 'merges.total_docs', 'docs merged'],
  ['merges.total_size', 'mts,mergesTotalSize', 'merges.total_size_in_bytes', 'size merged'],
  ['merges.total_time', 'mtt,mergesTotalTime', 'merges.total_time_in_millis', 'time spent in merges'],
  ['refresh.total', 'rto,refreshTotal', 'refresh.total', 'total refreshes'],
  ['refresh.time', 'rti,refreshTime', 'refresh.total_time_in_millis', 'time spent in refreshes'],
  ['refresh.external_total', 'rto,refreshTotal', 'refresh.external_total', 'total external refreshes'],
  [
    'refresh.external_time',
    'rti,refreshTime',
    'refresh.external_total_time_in_millis',
    'time spent in external refreshes',
  ],
  ['refresh.listeners', 'rli,refreshListeners', 'refresh.listeners', 'number of pending refresh listeners'],
]

const readFigures: readonly Statistic[] = [
  ['search.fetch_current', 'sfc,searchFetchCurrent', 'search.fetch_current', 'current fetch phase ops'],
  ['search.fetch_time', 'sfti,searchFetchTime', 'search.fetch_time_in_millis', 'time spent in fetch phase'],
  ['search.fetch_total', 'sfto,searchFetchTotal', 'search.fetch_total', 'total fetch ops'],
  ['search.open_contexts', 'so,searchOpenContexts', 'search.open_contexts', 'open search contexts'],
  ['search.query_current', 'sqc,searchQueryCurrent', 'search.query_current', 'current query phase ops'],
  ['search.query_time', 'sqti,searchQueryTime', 'search.query_time_in_millis', 'time spent in query phase'],
  ['search.query_total', 'sqto,searchQueryTotal', 'search.query_total', 'total query phase ops'],
  ['search.scroll_current', 'scc,searchScrollCurrent', 'search.scroll_current', 'open scroll contexts'],
  ['search.scroll_time', 'scti,searchScrollTime', 'search.scroll_time_in_millis', 'time scroll contexts held open'],
  ['search.scroll_total', 'scto,searchScrollTotal', 'search.scroll_total', 'completed scroll contexts'],
  ['segments.count', 'sc,segmentsCount', 'segments.count', 'number of segments'],
  ['segments.memory', 'sm,segmentsMemory', 'segments.memory_in_bytes', 'memory used by segments'],
  ['warmer.current', 'wc,warmerCurrent', 'warmer.current', 'current warmer ops'],
  ['warmer.total', 'wto,warmerTotal', 'warmer.total', 'total warmer ops'],
  ['warmer.total_time', 'wtt,warmerTotalTime', 'warmer.total_time_in_millis', 'time spent in warmers'],
]

const suggestFigures: readonly Statistic[] = [
  ['suggest.current', 'suc,suggestCurrent', 'search.suggest_current', 'number of current suggest ops'],
  ['suggest.time', 'suti,suggestTime', 'search.suggest_time_in_millis', 'time spend in suggest'],
  ['suggest.total', 'suto,suggestTotal', 'search.suggest_total', 'number of suggest ops'],
]

const bulkFigures: readonly Statistic[] = [
  ['bulk.total_operations', 'bto,bulkTotalOperations', 'bulk.total_operations', 'number of bulk shard ops'],
  ['bulk.total_time', 'btti,bulkTotalTime', 'bulk.total_time_in_millis', 'time spend in shard bulk'],
  [
    'bulk.total_size_in_bytes',
    'btsi,bulkTotalSizeInBytes',
    'bulk.total_size_in_bytes',
    'total size in bytes of shard bulk',
  ],
  ['bulk.avg_time', 'bati,bulkAvgTime', 'bulk.avg_time_in_millis', 'average time spend in shard bulk'],
  ['bulk.avg_size_in_bytes', 'basi,bulkAvgSizeInBytes', 'bulk.avg_size_in_bytes', 'avg size in bytes of shard bulk'],
]

const shardFigures = [...cacheFigures, ...writeFigures, ...readFigures, ...bulkFigures]
const indexFigures = [
  ...cacheFigures,
  ...requestCacheFigures,
  ...writeFigures,
  ...readFigures,
  ...suggestFigures,
  ...bulkFigures,
]

/** The figures of shards as columns; `figuresOf` gives undefined for a row that has none. */
export function shardStatistics<Row>(figuresOf: (row: Row) => Figures | undefined): readonly CatColumn<Row>[] {
  return shardFigures.map((figure) => columnOf(figure, figuresOf))
}

/** The figures of indices as columns, each also of the primaries alone, which all shards that have any are. */
export function indexStatistics<Row>(figuresOf: (row: Row) => Figures | undefined): readonly CatColumn<Row>[] {
  return indexFigures.flatMap((figure) => {
    const column = columnOf(figure, figuresOf)
    return [column, { ...column, name: `pri.${column.name}`, aliases: [] }]
  })
}

function columnOf<Row>(
  [name, aliases, place, description]: Statistic,
  figuresOf: (row: Row) => Figures | undefined,
): CatColumn<Row> {
  const [section = '', member = ''] = place.split('.')
  return {
    name,
    aliases: aliases.split(','),
    description,
    right: true,
    cell(row) {
      const figures = figuresOf(row)
      const shown = figures && sectionOf(section, figures)
      return shown && cellOf(name, member, shown[member])
    },
  }
}

/** A section of `_stats` by the name that it is shown under. */
function sectionOf(name: string, figures: Figures): StatsSection {
  const [asked = name] = Object.entries(statsSections).find(([, section]) => section.name === name) ?? []
  return Object(showSections([asked], figures)[name])
}

function cellOf(name: string, member: string, value: unknown): Cell {
  if (typeof value !== 'number') return undefined
  if (member.endsWith('_in_millis')) return { ms: value }
  return member.endsWith('_in_bytes') && !name.endsWith('_in_bytes') ? { bytes: value } : value
}

const heldNames = cacheFigures
  .filter(([name]) => /^(?:completion|fielddata)\./u.test(name))
  .flatMap(([name, aliases]) => [name, `pri.${name}`, ...aliases.split(',')])

/** Whether a request shows or sorts by columns that take counting what fields hold. */
export function asksHeldFields({ h = [], s = [] }: Readonly<Record<string, unknown>>): boolean {
  const columns = [h, s].flat().map((name) => String(name).replace(/:(?:asc|desc)$/u, ''))
  return columns.some((name) => name.includes('*') || heldNames.includes(name))
}

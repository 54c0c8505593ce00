import { AppError, searchErrors } from '@logstack/errors'
import { operationCounters } from '../../documents/operation-counts.ts'
import { broadcastShards, healthOf } from '../../indices/shards.ts'
import type { IndexMeta } from '../../model/index-meta.ts'
import { searchContexts } from '../../plan/search-contexts.ts'
import { unrecognized } from '../../refusals/did-you-mean.ts'
import type { Services } from '../../services.ts'
import { defineRoute } from '../define-route.ts'
import { indicesOptionParameters } from '../resources/authorized-indices.ts'
import { heldFields } from './field-bytes.ts'
import { indicesOf } from './index-admin.ts'
import { type Figures, joinFigures, type StatsSection, showSections, statsSections } from './stats-sections.ts'

/** The sections a path asks for. Throws `illegal_argument_exception` for unknown ones, with the nearest name. */
function wantedSections(path: string, metric: string | undefined): readonly string[] {
  const all = Object.keys(statsSections)
  const wanted = metric?.split(',') ?? ['_all']
  if (wanted.includes('_all')) {
    if (wanted.length === 1) return all
    throw new AppError(
      searchErrors.illegal_argument_exception,
      `request [${path}] contains _all and individual metrics [${wanted.join(',')}]`,
    )
  }
  const unknown = wanted.filter((name) => !Object.hasOwn(statsSections, name))
  if (unknown.length === 0) return all.filter((name) => wanted.includes(name))
  throw new AppError(searchErrors.illegal_argument_exception, unrecognized(path, 'metric', unknown, all))
}

/** `GET /_stats`: figures of indices. Documents and bytes are counted; the sections about Lucene's inner parts stand at nought. */
export const indexStatsRoute = defineRoute({
  name: 'indices.stats',
  methods: ['GET'],
  paths: ['/_stats', '/_stats/{metric}', '/{index}/_stats', '/{index}/_stats/{metric}'],
  privilege: { index: 'monitor' },
  parameters: {
    ...indicesOptionParameters,
    completion_fields: 'list',
    fielddata_fields: 'list',
    fields: 'list',
    groups: 'list',
    level: ['cluster', 'indices', 'shards'],
    types: 'list',
    include_segment_file_sizes: 'boolean',
    include_unloaded_segments: 'boolean',
    forbid_closed_indices: 'boolean',
  },
  async handle(request, services) {
    const wanted = wantedSections(request.path, request.params['metric'])
    const found = indicesOf(request, services, 'indices.stats', 'monitor', {
      expand: ['open', 'hidden'],
      forbidClosed: request.query['forbid_closed_indices'] !== false,
    })
    const groups = request.query['groups'] as readonly string[] | undefined
    const heldShown = shownFields(request.query)
    const asksHeld = wanted.includes('fielddata') || wanted.includes('completion')
    const rows = await Promise.all(
      found.map(async (index) => {
        const figures = await figuresOf(services, index, groups, request.query['include_unloaded_segments'] === true)
        const held = asksHeld ? { held: await heldFields(services, index), heldShown } : {}
        return { index, figures: { ...figures, ...held } }
      }),
    )
    const all = showSections(wanted, joinFigures(rows.map(({ figures }) => figures)))
    const node = services.catalogue.clusterUuid
    const indices = rows.map(({ index, figures }) => {
      const own = showSections(wanted, figures)
      const shards = request.query['level'] === 'shards' ? { shards: { 0: [shownShard(index, own, node)] } } : {}
      return [
        index.name,
        { uuid: index.uuid, health: healthOf(index), status: index.state, primaries: own, total: own, ...shards },
      ]
    })
    const json = {
      _shards: broadcastShards(found),
      _all: { primaries: all, total: all },
      ...(request.query['level'] === 'cluster' ? {} : { indices: Object.fromEntries(indices) }),
    }
    return { json }
  },
})

/** Which fields are shown one by one in the sections about fields. */
function shownFields(query: Readonly<Record<string, unknown>>): NonNullable<Figures['heldShown']> {
  const list = (name: string) => (query[name] as readonly string[] | undefined) ?? []
  return {
    fielddata: [...list('fields'), ...list('fielddata_fields')],
    completion: [...list('fields'), ...list('completion_fields')],
  }
}

/** All documents are shown with the first shard, for there is one table under them all. */
export function shownShard(index: IndexMeta, figures: StatsSection, node: string): Record<string, unknown> {
  const routing = { state: 'STARTED', primary: true, node, relocating_node: null }
  return { routing, ...figures, commit: { id: index.uuid, generation: 1, user_data: {} } }
}

/** What is known of one index; the segments of one that is closed are on disk alone, and counted where the unloaded are. */
export async function figuresOf(
  services: Services,
  index: IndexMeta,
  groups?: readonly string[],
  countsUnloaded = false,
): Promise<Figures> {
  // Before the documents are counted, which puts all of them into the engine.
  const pending = services.documents.pending(index)
  const stored = await services.documents.stats(index)
  const openContexts = searchContexts(services).openOver(index)
  const segments = stored.documents > 0 && (countsUnloaded || index.state === 'open') ? 1 : 0
  return { ...stored, segments, pending, counts: [operationCounters(services).of(index)], openContexts, groups }
}

import { visibleSql } from '../../documents/visibility.ts'
import { broadcastShards } from '../../indices/shards.ts'
import { isRunByPolicy, streamLifecycleRuns } from '../../lifecycle/run-stream-lifecycles.ts'
import type { DataStreamMeta } from '../../model/index-meta.ts'
import type { Services } from '../../services.ts'
import { ident, join, num, sql } from '../../sql/sql.ts'
import { defineRoute, type Route } from '../define-route.ts'
import { namedStreams } from './data-streams.ts'

function backingOf({ indices }: DataStreamMeta, { catalogue }: Services) {
  return indices.map((name) => catalogue.index(name)).filter((index) => index !== undefined)
}

/** The latest `@timestamp` of a stream, in epoch milliseconds; 0 when it is empty. */
async function latestOf(stream: DataStreamMeta, services: Services): Promise<number> {
  const { catalogue, documents, engine } = services
  const byTable = new Map<number, number[]>()
  for (const { id, table } of backingOf(stream, services)) byTable.set(table, [...(byTable.get(table) ?? []), id])
  let latest = 0
  for (const [id, indices] of byTable) {
    const table = catalogue.table(id)
    await documents.shown([table.id])
    const [row] = await engine.rows(
      sql`SELECT max(_time) FROM ${ident(table.name)} WHERE _index IN (${join(indices.map(num), ', ')})
        AND ${visibleSql(documents.visibility(table.id))}`,
    )
    latest = Math.max(latest, Number(row?.[0] ?? 0))
  }
  return latest
}

const stats = defineRoute({
  name: 'indices.data_streams_stats',
  methods: ['GET'],
  paths: ['/_data_stream/_stats', '/_data_stream/{name}/_stats'],
  privilege: { index: 'monitor' },
  parameters: { expand_wildcards: 'list', forbid_closed_indices: 'boolean' },
  async handle(request, services) {
    const streams = namedStreams(request, services, 'monitor', 'indices.data_streams_stats')
    const backing = streams.map((stream) => backingOf(stream, services))
    const sizes = await Promise.all(
      backing.map(async (indices) => {
        const stats = await Promise.all(indices.map((index) => services.documents.stats(index)))
        return stats.reduce((sum, { bytes }) => sum + bytes, 0)
      }),
    )
    const latest = await Promise.all(streams.map((stream) => latestOf(stream, services)))
    return {
      json: {
        _shards: broadcastShards(backing.flat()),
        data_stream_count: streams.length,
        backing_indices: backing.flat().length,
        total_store_size_bytes: sizes.reduce((sum, each) => sum + each, 0),
        data_streams: streams.map(({ name }, at) => ({
          data_stream: name,
          backing_indices: backing[at]?.length ?? 0,
          store_size_bytes: sizes[at],
          maximum_timestamp: latest[at],
        })),
      },
    }
  },
})

const lifecycleStats = defineRoute({
  name: 'indices.get_data_lifecycle_stats',
  methods: ['GET'],
  paths: ['/_lifecycle/stats'],
  privilege: { cluster: 'monitor' },
  parameters: { master_timeout: 'time' },
  async handle(_request, services) {
    const { lastMs, betweenMs, failing } = streamLifecycleRuns(services.catalogue)
    const streams = [...services.catalogue.dataStreams()].filter(
      (stream) => stream.lifecycle?.enabled === true && !isRunByPolicy(stream, services),
    )
    return {
      json: {
        ...(lastMs === undefined ? {} : { last_run_duration_in_millis: lastMs }),
        ...(betweenMs === undefined ? {} : { time_between_starts_in_millis: betweenMs }),
        data_stream_count: streams.length,
        data_streams: streams
          .map(({ name, indices }) => ({
            name,
            backing_indices_in_total: indices.length,
            backing_indices_in_error: failing.has(name) ? 1 : 0,
          }))
          .sort((a, b) => (a.name < b.name ? -1 : 1)),
      },
    }
  },
})

/** What data streams hold, and how their lifecycles went. */
export const dataStreamStatsRoutes: readonly Route[] = [stats, lifecycleStats]

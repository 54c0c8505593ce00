import { defineFault } from '../../doctor/define-fault.ts'
import { shardRows } from '../../evidence/shards.ts'

/** Primaries that are not there: data that search cannot reach. Never mended by a program, as every way out but one loses data. */
export const primaries = defineFault<{ readonly indices: readonly string[] }>({
  name: 'primaries',
  title: 'primary shards',
  ofOwnSearch: true,
  async diagnose(context) {
    const rows = await shardRows(context)
    const lost = rows.filter(({ prirep, state }) => prirep === 'p' && state === 'UNASSIGNED')
    if (lost.length === 0) {
      return { status: 'healthy', detail: `${rows.filter(({ prirep }) => prirep === 'p').length} assigned` }
    }
    const indices = [...new Set(lost.map(({ index }) => index))].sort()
    return {
      status: 'fault',
      problem: `${lost.length} primary shards are unassigned: ${indices.join(', ')}`,
      evidence: lost.map(({ index, shard, unassignedReason }) =>
        `${index} ${shard} p UNASSIGNED ${unassignedReason}`.trim(),
      ),
      meaning:
        'events of these indices cannot be searched, and new ones are refused; setting replicas to 0 does not help',
      found: { indices },
    }
  },
  plan: (_context, { indices }) => [
    'GET /_cluster/allocation/explain',
    '# see whether its files came back with the data directory or its disk: ./logstack logs search',
    ...indices.map((index) => `# restore ${index} from a snapshot; DELETE /${index} only when its events may be lost`),
  ],
})

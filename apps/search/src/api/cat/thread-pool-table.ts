import { hostname } from 'node:os'
import { fitsStars } from '@logstack/rules'
import type { LaneFigures } from '../../engine/lane.ts'
import { defineRoute, type Route } from '../define-route.ts'
import { type CatColumn, catAnswer, catParameters } from './table.ts'

interface Pool extends LaneFigures {
  readonly nodeName: string
  readonly nodeId: string
}

const text = (
  name: string,
  aliases: readonly string[],
  description: string,
  cell: CatColumn<Pool>['cell'],
  shown = false,
): CatColumn<Pool> => ({ name, aliases, description, cell, shown })

const number = (
  name: string,
  aliases: readonly string[],
  description: string,
  cell: CatColumn<Pool>['cell'],
  shown = false,
): CatColumn<Pool> => ({ ...text(name, aliases, description, cell, shown), right: true })

const columns: readonly CatColumn<Pool>[] = [
  text('node_name', ['nn'], 'node name', ({ nodeName }) => nodeName, true),
  text('node_id', ['id'], 'persistent node id', ({ nodeId }) => nodeId),
  text('ephemeral_node_id', ['eid'], 'ephemeral node id', ({ nodeId }) => nodeId),
  text('pid', ['p'], 'process id', () => process.pid),
  text('host', ['h'], 'host name', () => hostname()),
  text('ip', ['i'], 'ip address', () => '127.0.0.1'),
  text('port', ['po'], 'bound transport port', () => 9300),
  text('name', ['n'], 'thread pool name', ({ name }) => name, true),
  text('type', ['t'], 'thread pool type', () => 'fixed'),
  number('active', ['a'], 'number of active threads', ({ working }) => working, true),
  number('pool_size', ['psz'], 'number of threads', ({ slots }) => slots),
  number('queue', ['q'], 'number of tasks currently in queue', ({ waiting }) => waiting, true),
  number('queue_size', ['qs'], 'maximum number of tasks permitted in queue', ({ waitingMax }) => waitingMax),
  number('rejected', ['r'], 'number of rejected tasks', ({ rejected }) => rejected, true),
  number('largest', ['l'], 'highest number of seen active threads', ({ workingMost }) => workingMost),
  number('completed', ['c'], 'number of completed tasks', ({ completed }) => completed),
  number('core', ['cr'], 'core number of threads in a scaling thread pool', () => undefined),
  number('max', ['mx'], 'maximum number of threads in a scaling thread pool', () => undefined),
  number('size', ['sz'], 'number of threads in a fixed thread pool', ({ slots }) => slots),
  text('keep_alive', ['ka'], 'thread keep alive time', () => undefined),
]

/** `_cat/thread_pool`: the sessions of the engine, which do what Elasticsearch's pools of threads do: what runs, what waits, what was turned away. */
export const threadPoolTable: Route = defineRoute({
  name: 'cat.thread_pool',
  methods: ['GET'],
  paths: ['/_cat/thread_pool', '/_cat/thread_pool/{thread_pool_patterns}'],
  privilege: { cluster: 'monitor' },
  parameters: { ...catParameters, size: 'string', thread_pool_patterns: 'list' },
  handle(request, { engine, nodeName, catalogue }) {
    const asked = request.params['thread_pool_patterns']?.split(',') ?? request.query['thread_pool_patterns'] ?? ['*']
    const patterns = asked as readonly string[]
    const pools = (engine.lanes?.() ?? [])
      .filter(({ name }) => patterns.some((pattern) => fitsStars(name, pattern)))
      .sort((a, b) => (a.name < b.name ? -1 : 1))
    return catAnswer(request, columns, () =>
      pools.map((pool) => ({ ...pool, nodeName, nodeId: catalogue.clusterUuid })),
    )
  },
})

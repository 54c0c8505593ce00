import { readdir, readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { illegalArgument } from '../../refusals/refuse.ts'
import { defineRoute, type Route } from '../define-route.ts'
import { describeNode, meansThisNode } from '../resources/node.ts'

/** What a thread of this process took of a processor, in clock ticks of a hundredth of a second. */
interface ThreadTime {
  readonly id: string
  readonly name: string
  readonly ticks: number
}

const tickMs = 10
const tasks = '/proc/self/task'

/** Elasticsearch takes any time; a request that waits longer is a slip, and a timer could not hold it. */
const intervalMsMax = 3_600_000

async function threadTimes(): Promise<ThreadTime[]> {
  const read = async (id: string): Promise<ThreadTime | undefined> => {
    const stat = await readFile(`${tasks}/${id}/stat`, 'utf8').catch(gone)
    if (stat === undefined) return undefined
    // The name stands in brackets and may hold any; utime and stime are the 14th and 15th field of all.
    const end = stat.lastIndexOf(')')
    const fields = stat.slice(end + 2).split(' ')
    return { id, name: stat.slice(stat.indexOf('(') + 1, end), ticks: Number(fields[11]) + Number(fields[12]) }
  }
  const times = await Promise.all((await readdir(tasks)).map(read))
  return times.filter((time) => time !== undefined)
}

/** A thread may end between being listed and being read. */
function gone(thrown: NodeJS.ErrnoException): undefined {
  if (thrown.code === 'ENOENT' || thrown.code === 'ESRCH') return undefined
  throw thrown
}

/** One line a thread, the busiest first: its share of a processor over `intervalMs`. */
function describe(before: readonly ThreadTime[], after: readonly ThreadTime[], intervalMs: number, busiest: number) {
  const known = new Map(before.map(({ id, ticks }) => [id, ticks]))
  return after
    .map(({ id, name, ticks }) => ({ id, name, ms: (ticks - (known.get(id) ?? 0)) * tickMs }))
    .filter(({ ms }) => ms > 0)
    .sort((a, b) => b.ms - a.ms)
    .slice(0, busiest)
    .map(({ id, name, ms }) => {
      const share = ((ms / intervalMs) * 100).toFixed(1)
      return `   ${share}% [cpu=${share}%] (${ms}ms out of ${intervalMs}ms) cpu usage by thread '${name}[${id}]'`
    })
}

/**
 * `GET /_nodes/hot_threads`: which threads of this process are busy, by what the kernel counts. The engine's and Node's own threads have no Java
 * stacks, so there are no lines below them. Throws `illegal_argument_exception` for an `interval` of more than an hour.
 */
export const hotThreadsRoute: Route = defineRoute({
  name: 'nodes.hot_threads',
  methods: ['GET'],
  paths: ['/_nodes/hot_threads', '/_nodes/{node}/hot_threads'],
  privilege: { cluster: 'monitor' },
  parameters: {
    interval: 'time',
    snapshots: 'integer',
    threads: 'integer',
    ignore_idle_threads: 'boolean',
    // Only the time of processors is counted for a thread of this engine.
    type: ['cpu'],
    sort: ['cpu', 'total'],
    timeout: 'time',
    master_timeout: 'time',
  },
  async handle({ params, query, signal }, services) {
    const { clusterUuid } = services.catalogue
    const { nodeName } = services
    const intervalMs = Math.max(1, Number(query['interval'] ?? 500))
    if (intervalMs > intervalMsMax) throw illegalArgument('[interval] must not be longer than [1h]')
    if (params['node'] !== undefined && !meansThisNode(params['node'].split(','), { nodeName, clusterUuid }))
      return { text: '' }
    const threads = Number(query['threads'] ?? 3)
    const before = await threadTimes()
    await sleep(intervalMs, undefined, { signal })
    const lines = describe(before, await threadTimes(), intervalMs, threads)
    const { transport_address, ip, version } = describeNode(services)
    const head = `::: {${nodeName}}{${clusterUuid}}{${ip}}{${transport_address}}{dim}{${version}}`
    const when = `   Hot threads at ${new Date(services.now()).toISOString()}, interval=${intervalMs}ms, busiestThreads=${threads}, ignoreIdleThreads=${query['ignore_idle_threads'] !== false}:`
    return { text: `${head}\n${when}\n\n${lines.map((line) => `${line}\n`).join('')}\n` }
  },
})

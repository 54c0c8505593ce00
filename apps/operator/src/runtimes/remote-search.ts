import { containerName } from '@logstack/contracts'
import { AppError, messageOf, operatorErrors } from '@logstack/errors'
import { z } from 'zod'
import type { PartClients } from '../clients/part-clients.ts'
import type { PartStatus, Runtime } from './runtime.ts'

const askLimitMs = 4_000
const healthSchema = z.object({ status: z.string() })

/**
 * A runtime of four parts and a cluster in search's place: what is ordered of search is the cluster's own business, and its status is what the cluster says.
 * Without a cluster it is the runtime as it was.
 */
export function withRemoteSearch<R extends Runtime>(runtime: R, cluster: string | undefined, clients: PartClients): R {
  if (cluster === undefined) return runtime
  const nothing = async (): Promise<void> => undefined
  const unlessSearch =
    <A extends readonly unknown[], T>(order: (part: string, ...rest: A) => T, instead: () => T) =>
    (part: string, ...rest: A): T =>
      part === 'search' ? instead() : order(part, ...rest)
  const notHere = (): never => {
    throw new AppError(operatorErrors.not_supported, `search is the cluster at ${cluster}, which is not the stack's`, {
      fix: 'see its own log and use its own tools',
    })
  }
  const own: Partial<Record<keyof Runtime, unknown>> = {
    list: async () =>
      Promise.all(
        (await runtime.list()).map((status) => (status.part === 'search' ? remoteStatus(cluster, clients) : status)),
      ),
    inspect: async (status: PartStatus) =>
      status.part === 'search' ? status : ((await runtime.inspect?.(status)) ?? status),
    start: unlessSearch(runtime.start.bind(runtime) as (part: string) => Promise<void>, nothing),
    stop: unlessSearch(runtime.stop.bind(runtime) as (part: string) => Promise<void>, nothing),
    restart: unlessSearch(runtime.restart.bind(runtime) as (part: string) => Promise<void>, nothing),
    reload: unlessSearch(runtime.reload.bind(runtime) as (part: string) => Promise<void>, nothing),
    isStopped: unlessSearch(runtime.isStopped.bind(runtime) as (part: string) => Promise<boolean>, async () => false),
    logs: (part: string, ...rest: [never]) => (part === 'search' ? notHere() : runtime.logs(part as never, ...rest)),
    exec: async (part: string, ...rest: [never, never]) =>
      part === 'search' ? notHere() : runtime.exec(part as never, ...rest),
  }
  return new Proxy(runtime, {
    get(target, key) {
      const value = own[key as keyof Runtime] ?? Reflect.get(target, key, target)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
}

/** Ready while the cluster answers the administrator and has every primary. */
async function remoteStatus(cluster: string, clients: PartClients): Promise<PartStatus> {
  const named = { part: 'search', name: containerName('search') } as const
  const at = `at ${cluster}`
  try {
    const request = { method: 'GET', path: '/_cluster/health', timeoutMs: askLimitMs } as const
    const { status } = healthSchema.parse((await clients.search().request(request)).body)
    const health = status === 'red' ? 'unhealthy' : 'healthy'
    return { ...named, state: 'running', statusText: `Up ${at} (${health})`, health, ready: health === 'healthy' }
  } catch (thrown) {
    const lastWords = messageOf(thrown)
    return { ...named, state: 'exited', statusText: `Unreachable ${at}`, health: undefined, ready: false, lastWords }
  }
}

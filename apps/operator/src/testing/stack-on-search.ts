import { parts } from '@logstack/contracts'
import { startSearch, type TestSearch } from '@logstack/testkit'
import { partClients } from '../clients/part-clients.ts'
import { writeFileAtomically } from '../places/write-file.ts'
import type { Runtime } from '../runtimes/runtime.ts'
import type { Stack } from '../stack.ts'
import { accounts } from '../steps/accounts.ts'
import { indexTemplatesStep } from '../steps/index-templates.ts'
import { secrets } from '../steps/secrets.ts'
import { runStep, testStack } from './test-stack.ts'

/** A stack whose search is real and whose other parts only seem to run; what was ordered of them is kept. */
export interface StackOnSearch {
  readonly stack: Stack
  readonly search: TestSearch
  /** `restart alerter`, in order. */
  readonly orders: readonly string[]
  remove(): Promise<void>
}

/** Starts a search with accounts and index templates, as an installation leaves it. */
export async function stackOnSearch(): Promise<StackOnSearch> {
  const search = await startSearch()
  const { stack: plain, remove } = testStack()
  const { paths, vault, choices } = plain
  writeFileAtomically(paths.caFile, search.ca)
  vault.create()
  vault.write(choices.adminUser, search.password)
  const orders: string[] = []
  const stack = withSearchAt(plain, search.url, orders)
  for (const step of [secrets, accounts, indexTemplatesStep]) await runStep(step, stack)
  return {
    stack,
    search,
    orders,
    async remove() {
      stack.clients.close()
      await search.stop()
      remove()
    },
  }
}

/** The stack as it is when search listens at another address and nothing else runs; what is ordered of the parts is added to `orders`. */
export function withSearchAt(plain: Stack, url: string, orders: string[] = []): Stack {
  const { paths, vault, choices } = plain
  const port = Number(new URL(url).port)
  const ports = { ...plain.ports, of: (wanted: number) => (wanted === 9200 ? port : wanted) }
  const clients = partClients({ paths, ports, vault, adminUser: choices.adminUser })
  return { ...plain, ports, clients, runtime: seemingRuntime(orders) }
}

function seemingRuntime(orders: string[]): Runtime {
  const order = (verb: string) => async (part: string) => void orders.push(`${verb} ${part}`)
  return {
    kind: 'process',
    list: async () =>
      parts.map((part) => ({
        part,
        name: `logstack-${part}`,
        state: 'running' as const,
        statusText: 'Up 2 minutes',
        health: undefined,
        ready: true,
      })),
    start: order('start'),
    stop: order('stop'),
    restart: order('restart'),
    isStopped: async () => false,
    reload: order('reload'),
    memoryUsed: async () => new Map(),
    async *logs() {
      yield 'a line of a part that only seems to run'
    },
    exec: async () => ({ exitCode: 0, stdout: '', stderr: '' }),
  }
}

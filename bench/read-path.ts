// Measures searches without HTTP: `node tools/run-ts.mjs bench/read-path.ts [documents] [search…]`. A search in this process, no result cache; each round runs a
// search and then its statements by themselves. Prints Markdown; milliseconds of a processor are what compares on a machine that does other things. ADR 0007 quotes it.
import { loadavg } from 'node:os'
import { runSearch } from '../apps/search/src/api/search/run-search.ts'
import { systemScope } from '../apps/search/src/security/role-scope.ts'
import type { Services } from '../apps/search/src/services.ts'
import { index, openLoadedSearch } from './loaded-search.ts'
import { searchesFor } from './searches.mjs'

const count = Number(process.argv[2] ?? 100_000)
/** Which searches; all when none is named. */
const named = new Set(process.argv.slice(3))
const warmUps = 5
const rounds = 20

/** Milliseconds that pass and that a processor works while `work` runs. */
async function measured(work: () => Promise<unknown>): Promise<{ wall: number; cpu: number }> {
  const [from, cpuFrom] = [performance.now(), process.cpuUsage()]
  await work()
  const { user, system } = process.cpuUsage(cpuFrom)
  return { wall: performance.now() - from, cpu: (user + system) / 1000 }
}

function median(values: readonly number[]): string {
  return ([...values].sort((a, b) => a - b)[values.length >> 1] ?? 0).toFixed(1)
}

const loaded = await openLoadedSearch(count)
const services = loaded.services as unknown as Services
try {
  console.log(`load ${loadavg()[0]?.toFixed(1)}\n`)
  console.log(
    '| search | statements | CPU, ms | CPU of its SQL, ms | p50, ms | p50 of its SQL, ms |\n|---|---|---|---|---|---|',
  )
  for (const [name, body] of searchesFor(loaded.counts.traceId)) {
    if (named.size > 0 && !named.has(name)) continue
    const [searches, alone]: { wall: number; cpu: number }[][] = [[], []]
    let statements = 0
    for (let round = 0; round < warmUps + rounds; round += 1) {
      const call = {
        scope: systemScope,
        signal: new AbortController().signal,
        expression: index,
        body,
        route: 'search',
        query: { request_cache: false },
      }
      let whole = { wall: 0, cpu: 0 }
      const noted = await loaded.statementsOf(async () => {
        whole = await measured(() => runSearch(services, call))
      })
      const parts = await measured(() => noted.run())
      statements = noted.count
      if (round < warmUps) continue
      searches?.push(whole)
      alone?.push(parts)
    }
    const cells = [searches ?? [], alone ?? []].map((each) => median(each.map(({ cpu }) => cpu)))
    const walls = [searches ?? [], alone ?? []].map((each) => median(each.map(({ wall }) => wall)))
    console.log(`| ${[name, statements, ...cells, ...walls].join(' | ')} |`)
  }
} finally {
  await loaded.close()
}

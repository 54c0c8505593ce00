import type { SearchClient } from '@logstack/search-client'

const pageSize = 5_000

interface Hit {
  readonly _id: string
  readonly _source: { readonly message: string }
  readonly sort: readonly unknown[]
}

/** The numbers of every file's lines as search has them, by `<host>/<file>`, in the order of their time and, within one millisecond, of their ids. */
export async function storedLines(client: SearchClient): Promise<Map<string, number[]>> {
  const lines = new Map<string, number[]>()
  const opened = await client.request<{ id: string }>({ method: 'POST', path: '/logs-soak-default/_pit?keep_alive=5m' })
  const pit = { id: opened.body.id, keep_alive: '5m' }
  for (let after: readonly unknown[] | undefined; ; ) {
    const { body } = await client.request<{ hits: { hits: Hit[] } }>({
      method: 'POST',
      path: '/_search',
      body: {
        size: pageSize,
        pit,
        _source: ['message'],
        sort: [{ '@timestamp': 'asc' }, { _id: 'asc' }],
        track_total_hits: false,
        ...(after ? { search_after: after } : {}),
      },
    })
    for (const { _source } of body.hits.hits) {
      const [, name = '', number] = _source.message.split(' ')
      const known = lines.get(name) ?? []
      known.push(Number(number))
      lines.set(name, known)
    }
    after = body.hits.hits.at(-1)?.sort
    if (!after) break
  }
  await client.request({ method: 'DELETE', path: '/_pit', body: { id: pit.id } })
  return lines
}

/** How many documents there are. */
export async function countStored(client: SearchClient): Promise<number> {
  const { body } = await client.request<{ count?: number }>({
    method: 'GET',
    path: '/logs-soak-default/_count',
    accept: [404],
  })
  return body.count ?? 0
}

/** What is wrong with a file's numbers, which are to be 0, 1, 2 … */
export interface LineFaults {
  readonly lost: number[]
  readonly twice: number[]
  /** Numbers that stand behind a greater one. */
  readonly unordered: number[]
}

/** Compares what search has of one file with how many lines were written. */
export function faultsOf(stored: readonly number[], written: number): LineFaults {
  const times = new Map<number, number>()
  const unordered: number[] = []
  let greatest = -1
  for (const number of stored) {
    times.set(number, (times.get(number) ?? 0) + 1)
    if (number < greatest) unordered.push(number)
    greatest = Math.max(greatest, number)
  }
  const lost = Array.from({ length: written }, (_, number) => number).filter((number) => !times.has(number))
  const twice = [...times].filter(([number, count]) => count > 1 || number >= written).map(([number]) => number)
  return { lost, twice, unordered }
}

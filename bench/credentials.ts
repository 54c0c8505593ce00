// Looks for what the time of a refusal tells: `node tools/run-ts.mjs bench/credentials.ts [samples of each]`. Refusals of two kinds in turn, in one
// process; how often the one is slower than the other (0.5: they cannot be told apart), and how often chance alone gives such a share. Prints Markdown.
import { loadavg } from 'node:os'
import { createSecurity } from '../apps/search/src/security/create-security.ts'
import type { Security } from '../apps/search/src/security/security.ts'
import { memoryStore } from '../apps/search/src/testing/memory-store.ts'

const samples = Number(process.argv[2] ?? 1_000)
const users = 50
const right = 'the-password-of-all'

const basic = (username: string, password: string): string =>
  `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`
const apiKey = (id: string, key: string): string => `ApiKey ${Buffer.from(`${id}:${key}`).toString('base64')}`

/** Milliseconds until the answer; each from an address of its own, as the slow-down of guesses is not what is measured. */
async function timed(security: Security, authorization: string, address: string, isRefused: boolean): Promise<number> {
  const from = performance.now()
  const refused = await security.authenticate(authorization, '/', address).then(
    () => false,
    () => true,
  )
  const ms = performance.now() - from
  if (refused !== isRefused) throw new Error(`${authorization} was ${refused ? '' : 'not '}refused`)
  return ms
}

/** The share of pairs in which the second is slower (Mann and Whitney's U over n²), ties halved. */
function slowerShare(left: readonly number[], right: readonly number[]): number {
  const all = [...left.map((ms) => ({ ms, own: 0 })), ...right.map((ms) => ({ ms, own: 1 }))].sort(
    (a, b) => a.ms - b.ms,
  )
  let rankSum = 0
  for (let at = 0; at < all.length; ) {
    let end = at
    while (end < all.length && all[end]?.ms === all[at]?.ms) end += 1
    const rank = (at + 1 + end) / 2
    for (; at < end; at += 1) if (all[at]?.own === 1) rankSum += rank
  }
  return (rankSum - (right.length * (right.length + 1)) / 2) / (left.length * right.length)
}

/** The share of chance's own results that lie as far from a half, by the normal approximation. */
function chanceOf(share: number, n: number): number {
  const z = Math.abs(share - 0.5) * n * n * Math.sqrt(12 / (n * n * (2 * n + 1)))
  // Abramowitz and Stegun 7.1.26, good to 1.5e-7.
  const x = z / Math.SQRT2
  const t = 1 / (1 + 0.3275911 * x)
  const polynomial = t * (0.254829592 + t * (-0.284496736 + t * (1.421413741 + t * (-1.453152027 + t * 1.061405429))))
  return polynomial * Math.exp(-x * x)
}

const median = (values: readonly number[]): number => [...values].sort((a, b) => a - b)[values.length >> 1] ?? 0

const security = createSecurity({ store: memoryStore(), now: Date.now })
for (let at = 0; at < users; at += 1) await security.putUser(`user-${at}`, { password: right })
const owner = await security.authenticate(basic('user-0', right), '/', 'owner')
const made = await security.createApiKey({ owner, name: 'beat', roles: {}, expiresAtMs: undefined, metadata: {} })
const { id, key } = made
const changed = (at: number): string => `${key.slice(0, at)}${key.charAt(at) === 'A' ? 'B' : 'A'}${key.slice(at + 1)}`

const wrong = (at: number): string => basic(`user-${at % users}`, `not-the-password-${at}`)
const nobody = (at: number): string => basic(`none-${at % users}`, `not-the-password-${at}`)
const pairs: readonly (readonly [string, string, (at: number) => string, (at: number) => string, boolean?])[] = [
  ['wrong password', 'wrong password (the same: what chance gives)', wrong, wrong],
  ['wrong password', 'unknown user', wrong, nobody],
  [
    'wrong password',
    'wrong in the last letter',
    wrong,
    (at) => basic(`user-${at % users}`, `${right.slice(0, -1)}${at % 10}`),
  ],
  [
    'key wrong in the first letter',
    'key wrong in the last letter',
    () => apiKey(id, changed(0)),
    () => apiKey(id, changed(key.length - 1)),
  ],
  [
    'wrong key',
    'unknown id',
    () => apiKey(id, changed(0)),
    (at) => apiKey(`${'x'.repeat(15)}${10_000 + at}`, changed(0)),
  ],
  ['wrong password', 'right password that is known (must be told apart)', wrong, () => basic('user-0', right), true],
]

console.log(`load ${loadavg()[0]?.toFixed(1)}, ${samples} of each\n`)
console.log(
  '| first | second | first, median ms | second, median ms | second is slower in | chance |\n|---|---|---|---|---|---|',
)
for (const [firstName, secondName, first, second, isRight = false] of pairs) {
  const [left, other]: [number[], number[]] = [[], []]
  for (let at = 0; at < samples; at += 1) {
    const ofFirst = async () => left.push(await timed(security, first(2 * at), `${firstName} ${at} 1`, true))
    const ofSecond = async () =>
      other.push(await timed(security, second(2 * at + 1), `${secondName} ${at} 2`, !isRight))
    // The order changes: what comes second may find warmer caches.
    if (at % 2 === 0) {
      await ofFirst()
      await ofSecond()
    } else {
      await ofSecond()
      await ofFirst()
    }
  }
  const share = slowerShare(left, other)
  const shown = [
    median(left).toFixed(4),
    median(other).toFixed(4),
    share.toFixed(3),
    chanceOf(share, samples).toFixed(3),
  ]
  console.log(`| ${firstName} | ${secondName} | ${shown.join(' | ')} |`)
}

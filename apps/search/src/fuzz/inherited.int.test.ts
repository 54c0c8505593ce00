import { beforeAll, expect, it } from 'vitest'
import { searchOverWire } from '../testing/search-over-wire.ts'
import { mappings, seeds } from './seeds.fixture.ts'

// A name that anyone chooses may be `__proto__`. Whoever assigns to a member of what stands there changes what all objects of the process inherit: of one user's request that
// would be what another's is decided by. A part's process refuses that (`runPart`), which is an internal error to the one who asks.

const ask = searchOverWire({ env: { LOGSTACK_LOG_LEVEL: 'error' } })
beforeAll(async () => {
  await ask('/fuzz', { method: 'PUT', body: { mappings } })
})

const poison = '__proto__'

/** The same value with one name, or one text, changed to `__proto__`: each of them once. */
function poisoned(value: unknown): string[] {
  const text = JSON.stringify(value)
  const places = [...text.matchAll(/"(?:[^"\\]|\\.)*"/gu)]
  return places.map(({ index, 0: found }) => `${text.slice(0, index)}"${poison}"${text.slice(index + found.length)}`)
}

const byHand: readonly (readonly [method: string, path: string, body: object])[] = [
  ['POST', '/_security/user/_has_privileges', { index: [{ names: [poison], privileges: ['read'] }] }],
  [
    'POST',
    '/_security/user/_has_privileges',
    { application: [{ application: 'a', privileges: ['x'], resources: [poison] }] },
  ],
  [
    'POST',
    '/_security/user/_has_privileges',
    { application: [{ application: poison, privileges: ['x'], resources: ['isKnown'] }] },
  ],
]
const analysis = `{"settings":{"analysis":{"analyzer":{"${poison}":{"type":"custom","tokenizer":"standard"}}}}}`

it('no request would change what all objects inherit', async () => {
  const failed: string[] = []
  const send = async (method: string, path: string, body: string) => {
    const type = body.includes('\n') ? 'application/x-ndjson' : 'application/json'
    const { status, text } = await ask(path, {
      method,
      body: Buffer.from(body),
      headers: { 'content-type': type },
    })
    if (status === 500) failed.push(`${method} ${path} ${body.slice(0, 200)}: ${text}`)
  }
  for (const [method, path, body] of byHand) await send(method, path, JSON.stringify(body))
  await send('PUT', '/inherits', analysis)
  await send('GET', '/inherits/_settings', '{}')
  await send('PUT', '/_index_template/inherits', `{"index_patterns":["inherits-*"],"template":${analysis}}`)
  await send('GET', '/_index_template/inherits', '{}')
  await send('PUT', '/_component_template/inherits', `{"template":${analysis}}`)
  await send('GET', '/_component_template/inherits', '{}')
  await send('PUT', '/_template/inherits', `{"index_patterns":["inherits-*"],${analysis.slice(1)}`)
  await send('GET', '/_template/inherits', '{}')
  for (const { method, path, body, lines } of seeds) {
    if (body !== undefined) for (const one of poisoned(body)) await send(method, path, one)
    if (lines) {
      const texts = lines.map((line) => JSON.stringify(line))
      for (const [at, line] of lines.entries())
        for (const one of poisoned(line)) await send(method, path, `${texts.with(at, one).join('\n')}\n`)
    }
  }
  expect(failed).toEqual([])
  const { status, json } = await ask('/inherits/_settings')
  expect([status, JSON.stringify(json())]).toEqual([
    200,
    expect.stringContaining(`"${poison}":{"tokenizer":"standard","type":"custom"}`),
  ])
})

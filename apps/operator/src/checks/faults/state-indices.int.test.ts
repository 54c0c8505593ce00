import { accountOf, alertSilencesIndex, alertsIndex, stateIndices } from '@logstack/contracts'
import { ensureHiddenIndex, type SearchClient } from '@logstack/search-client'
import { beforeEach, expect, test } from 'vitest'
import { faultOnSearch } from '../../testing/fault-on-search.ts'
import { stateIndicesLost } from './state-indices.ts'

const on = faultOnSearch(stateIndicesLost)
const { client, look, mend } = on

beforeEach(async () => {
  for (const [part, indices] of Object.entries(stateIndices)) {
    for (const index of indices) await ensureHiddenIndex(as(part as keyof typeof stateIndices), index)
  }
})

/** Search as a part sees it. */
function as(part: Parameters<typeof accountOf>[0]): SearchClient {
  const { username } = accountOf(part)
  return on.stack.clients.searchAs(username, on.stack.vault.read(username))
}

const silence = { rule: 'r', from: '2026-01-01T00:00:00Z', until: '2026-01-02T00:00:00Z', by: 'ann' }
const path = `/${alertSilencesIndex.name}`

/** What a request that deletes everything leaves behind, once somebody wrote to the index again. */
async function deleteAndWrite(document: unknown): Promise<void> {
  // Deleted by its own name or by the one that stands in for it.
  await client().request({ method: 'DELETE', path: `${path}*`, query: { expand_wildcards: 'all' } })
  await client().request({ method: 'PUT', path: `${path}/_doc/1`, query: { refresh: 'true' }, body: document })
}

async function typeOfRule(): Promise<unknown> {
  const { body } = await client().request<Record<string, { mappings: { properties: { rule: unknown } } }>>({
    method: 'GET',
    path: `${path}/_mapping`,
  })
  return Object.values(body)[0]?.mappings.properties.rule
}

test('what the parts made is well', async () => {
  expect(await look()).toMatchObject({ status: 'healthy', detail: '12 as their parts made them' })
})

test('a part that starts makes an index anew whose mapping was guessed, with its documents, with its own rights', async () => {
  await deleteAndWrite(silence)
  expect(await typeOfRule()).toMatchObject({ type: 'text' })
  for (let start = 0; start < 2; start++) await ensureHiddenIndex(as('alerter'), alertSilencesIndex)
  expect(await typeOfRule()).toEqual({ type: 'keyword' })
  const { body } = await as('alerter').request<{ hits: { hits: { _id: string; _source: unknown }[] } }>({
    method: 'POST',
    path: `${path}/_search`,
    body: { query: { term: { rule: 'r' } } },
  })
  expect(body.hits.hits).toMatchObject([{ _id: '1', _source: silence }])
  // Strict again, and written to under its name.
  await as('alerter').request({ method: 'PUT', path: `${path}/_doc/2`, body: { ...silence, by: 'bob' } })
  await expect(as('alerter').request({ method: 'PUT', path: `${path}/_doc/3`, body: { x: 1 } })).rejects.toThrow(
    'strict',
  )
  expect(await look()).toMatchObject({ status: 'healthy' })
  // It may happen to the one that stands in, too.
  await deleteAndWrite(silence)
  await ensureHiddenIndex(as('alerter'), alertSilencesIndex)
  expect(await typeOfRule()).toEqual({ type: 'keyword' })
}, 120_000)

test('those who may only add alerts add them under the name of the index that was made anew', async () => {
  await client().request({ method: 'DELETE', path: `/${alertsIndex.name}` })
  await client().request({ method: 'PUT', path: `/${alertsIndex.name}/_doc/1`, body: { '@timestamp': silence.from } })
  await ensureHiddenIndex(as('alerter'), alertsIndex)
  await ensureHiddenIndex(as('endpoint-manager'), alertsIndex)
  const create = {
    method: 'PUT',
    path: `/${alertsIndex.name}/_create/2`,
    body: { '@timestamp': silence.until },
  } as const
  expect(await as('endpoint-manager').request(create)).toMatchObject({ status: 201 })
})

test('one that holds what does not belong there is left as it is, and named', async () => {
  await deleteAndWrite({ colour: 'red' })
  await expect(ensureHiddenIndex(as('alerter'), alertSilencesIndex)).rejects.toMatchObject({
    message: expect.stringMatching(/^\.logstack-alerts-silences was made by a write .* \[colour\]/),
  })
  expect(await client().request({ method: 'GET', path: `${path}/_doc/1` })).toMatchObject({ status: 200 })
  await client().request({ method: 'DELETE', path })
})

test('doctor names what was deleted below a running part, and mends it', async () => {
  await deleteAndWrite(silence)
  await client().request({ method: 'DELETE', path: '/.logstack-policies' })
  expect(await look()).toMatchObject({
    status: 'fault',
    problem: expect.stringContaining('.logstack-alerts-silences, .logstack-policies'),
    evidence: [
      expect.stringMatching(/^\.logstack-alerts-silences: made by a write/),
      '.logstack-policies: not there, though its part runs',
    ],
  })
  expect(await mend()).toMatchObject([{ check: 'state-indices', end: 'mended' }])
  expect(await typeOfRule()).toEqual({ type: 'keyword' })
  expect(on.orders).toEqual(['restart alerter', 'restart agent-server'])
}, 120_000)

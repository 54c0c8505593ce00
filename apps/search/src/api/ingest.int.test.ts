import { beforeAll, describe, expect, it } from 'vitest'
import { searchOverWire } from '../testing/search-over-wire.ts'

const send = searchOverWire()

const sourceOf = async (index: string, id: string) => (await send(`/${index}/_source/${id}`)).json()

describe('pipelines', () => {
  beforeAll(async () => {
    const first = {
      processors: [
        { grok: { field: 'message', patterns: ['%{IP:source.ip} %{GREEDYDATA:rest}'] } },
        { drop: { if: "ctx.rest == 'noise'" } },
        { set: { field: '_index', value: 'elsewhere', if: "ctx.rest == 'away'" } },
      ],
    }
    await send('/_ingest/pipeline/first', { method: 'PUT', body: first })
    await send('/_ingest/pipeline/last', {
      method: 'PUT',
      body: { processors: [{ set: { field: 'last', value: true } }] },
    })
    await send('/piped', { method: 'PUT', body: { settings: { default_pipeline: 'first', final_pipeline: 'last' } } })
  })

  it('run as the default and the final one of an index', async () => {
    const answer = await send('/piped/_doc/1', { method: 'PUT', body: { message: '192.0.2.1 hello' } })
    expect(answer.status).toBe(201)
    expect(await sourceOf('piped', '1')).toEqual({
      message: '192.0.2.1 hello',
      source: { ip: '192.0.2.1' },
      rest: 'hello',
      last: true,
    })
  })

  it('come after the script of an upsert', async () => {
    const script = "ctx._source.message = '192.0.2.9 scripted'"
    const answer = await send('/piped/_update/upserted', {
      method: 'POST',
      body: { script, upsert: {}, scripted_upsert: true },
    })
    expect(answer.status).toBe(201)
    expect(await sourceOf('piped', 'upserted')).toMatchObject({ rest: 'scripted', last: true })
  })

  it('drop, move and refuse documents of a bulk one by one', async () => {
    const body = ['::1 noise', '::1 away', 'none', '::1 kept']
      .map((message, at) => `{"index":{"_id":"b${at}"}}\n${JSON.stringify({ message })}\n`)
      .join('')
    const answer = await send('/piped/_bulk', {
      method: 'POST',
      headers: { 'content-type': 'application/x-ndjson' },
      body,
    })
    const { items, errors } = answer.json() as { items: { index: Record<string, unknown> }[]; errors: boolean }
    expect(errors).toBe(true)
    expect(items.map(({ index }) => [index['_index'], index['status'], index['result']])).toEqual([
      ['piped', 200, 'noop'],
      ['elsewhere', 201, 'created'],
      ['piped', 400, undefined],
      ['piped', 201, 'created'],
    ])
    expect((await send('/piped/_doc/b0')).status).toBe(404)
    expect(await sourceOf('elsewhere', 'b1')).not.toHaveProperty('last')
  })

  it('are simulated without a write', async () => {
    const body = { docs: [{ _source: { message: '::1 x' } }] }
    const answer = await send('/_ingest/pipeline/first/_simulate?verbose=true', { method: 'POST', body })
    const { docs } = answer.json() as { docs: { processor_results: { status: string }[] }[] }
    expect(docs[0]?.processor_results.map(({ status }) => status)).toEqual(['success', 'skipped', 'skipped'])
  })

  it('are refused with the processor and the option', async () => {
    const body = { processors: [{ set: { tag: 't' } }] }
    const answer = await send('/_ingest/pipeline/wrong', { method: 'PUT', body })
    expect(answer.status).toBe(400)
    expect(answer.json()).toMatchObject({
      error: { type: 'parse_exception', processor_type: 'set', processor_tag: 't', property_name: 'field' },
    })
  })
})

it('a pipeline may name the version that a document must have', async () => {
  const put = (type: string, version: number) =>
    send(`/_ingest/pipeline/${type}-${version}`, {
      method: 'PUT',
      body: {
        processors: [{ set: { field: '_version', value: version } }, { set: { field: '_version_type', value: type } }],
      },
    })
  await put('internal', 1)
  await put('external', 7)
  const write = async (pipeline: string) =>
    (await send(`/versions/_doc/1?pipeline=${pipeline}`, { method: 'PUT', body: {} })).json()
  expect(await write('internal-1')).toMatchObject({
    error: {
      type: 'version_conflict_engine_exception',
      reason: '[1]: version conflict, current version [-1] is different than the one provided [1]',
    },
    status: 409,
  })
  expect(await write('external-7')).toMatchObject({ _version: 7, result: 'created' })
  expect(await write('internal-1')).toMatchObject({ status: 409 })
})

it('an alias rolls over only when its conditions are met', async () => {
  await send('/rolled-1', { method: 'PUT', body: { aliases: { rolled: { is_write_index: true } } } })
  const roll = async () =>
    (await send('/rolled/_rollover', { method: 'POST', body: { conditions: { max_docs: 1 } } })).json()
  expect(await roll()).toMatchObject({ rolled_over: false, conditions: { '[max_docs: 1]': false } })
  await send('/rolled/_doc/1', { method: 'PUT', body: { a: 1 } })
  expect(await roll()).toMatchObject({ rolled_over: true, old_index: 'rolled-1', new_index: 'rolled-000002' })
  expect((await send('/rolled/_doc/2', { method: 'PUT', body: { a: 2 } })).json()).toMatchObject({
    _index: 'rolled-000002',
  })
})

import { beforeAll, describe, expect, it } from 'vitest'
import { searchOverWire } from '../../testing/search-over-wire.ts'

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

describe('documents', () => {
  it('are sent on, through the pipelines of where they come to, but in no circle', async () => {
    const put = (path: string, body: object) => send(path, { method: 'PUT', body })
    const pipeline = (id: string, ...processors: object[]) => put(`/_ingest/pipeline/${id}`, { processors })
    const mark = (value: string) => ({ append: { field: 'through', value } })
    await pipeline('start', mark('start'), { reroute: { dataset: '{{kind}}' } }, mark('never'))
    await pipeline('next', mark('next'), { reroute: { dataset: 'start', if: 'ctx.back == true' } })
    await pipeline('end', mark('end'))
    await put('/logs-start-x', { settings: { default_pipeline: 'start', final_pipeline: 'end' } })
    await put('/logs-next-x', { settings: { default_pipeline: 'next', final_pipeline: 'last' } })
    const sent = async (id: string, body: object) => await send(`/logs-start-x/_doc/${id}`, { method: 'PUT', body })
    expect((await sent('1', { kind: 'next' })).json()).toMatchObject({ _index: 'logs-next-x', result: 'created' })
    expect(await sourceOf('logs-next-x', '1')).toMatchObject({ through: ['start', 'next'], last: true })
    expect((await sent('2', { kind: 'start' })).json()).toMatchObject({ _index: 'logs-start-x' })
    expect(await sourceOf('logs-start-x', '2')).toMatchObject({ through: ['start', 'end'] })
    expect((await sent('3', { kind: 'next', back: true })).json()).toMatchObject({
      error: {
        type: 'illegal_state_exception',
        reason:
          'index cycle detected while processing pipeline [next] for document [3]: [logs-start-x, logs-next-x, logs-start-x]',
      },
    })
    await pipeline('end', { reroute: { destination: 'away' } })
    expect((await sent('4', { kind: 'start' })).json()).toMatchObject({
      error: {
        reason: "final pipeline [end] can't change the target index (from [logs-start-x] to [away]) for document [4]",
      },
    })
  })

  it('tell who sends them, and where they would be sent on to, in a simulation', async () => {
    const pipeline = {
      processors: [
        { set_security_user: { field: 'by', properties: ['username', 'api_key'] } },
        { reroute: { namespace: 'new' } },
        { fail: { message: 'never' } },
      ],
    }
    const made = await send('/_security/api_key', { method: 'POST', body: { name: 'shipper' } })
    const { id, encoded } = made.json() as { id: string; encoded: string }
    const body = { pipeline, docs: [{ _index: 'logs-a-b', _source: {} }] }
    const headers = { authorization: `ApiKey ${encoded}` }
    const answer = await send('/_ingest/pipeline/_simulate', { method: 'POST', body, headers })
    expect(answer.json()).toMatchObject({
      docs: [
        { doc: { _index: 'logs-a-new', _source: { by: { username: 'elastic', api_key: { id, name: 'shipper' } } } } },
      ],
    })
    const verbose = await send('/_ingest/pipeline/_simulate?verbose', { method: 'POST', body })
    const { docs } = verbose.json() as { docs: { processor_results: { processor_type: string; status: string }[] }[] }
    expect(docs[0]?.processor_results.map(({ processor_type, status }) => [processor_type, status])).toEqual([
      ['set_security_user', 'success'],
      ['reroute', 'success'],
    ])
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

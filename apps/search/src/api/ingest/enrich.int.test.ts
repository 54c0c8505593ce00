import { beforeAll, describe, expect, it } from 'vitest'
import { searchOverWire } from '../../testing/search-over-wire.ts'

const send = searchOverWire()
const put = async (path: string, body: object = {}) => {
  const answer = await send(path, { method: 'PUT', body })
  expect([answer.status, answer.text]).toEqual([expect.toSatisfy((status: number) => status < 300), answer.text])
  return answer.json()
}
const causeOf = async (path: string, method: 'PUT' | 'DELETE' | 'GET' | 'POST', body?: object) => {
  const answer = await send(path, { method, ...(body ? { body } : {}) })
  const { error } = answer.json() as { error: { type: string; reason: string } }
  return [answer.status, error?.type, error?.reason]
}

const users = { match: { indices: 'users', match_field: 'user.email', enrich_fields: ['user.city', 'n'] } }

async function policy(name: string, body: object) {
  await put(`/_enrich/policy/${name}`, body)
  expect(await put(`/_enrich/policy/${name}/_execute`)).toEqual({ status: { phase: 'COMPLETE' } })
}

/** What an `enrich` processor makes of sources, by way of `_simulate`. */
async function enriched(options: object, ...sources: object[]): Promise<unknown[]> {
  const body = { pipeline: { processors: [{ enrich: options }] }, docs: sources.map((_source) => ({ _source })) }
  const answer = await send('/_ingest/pipeline/_simulate', { method: 'POST', body })
  const { docs } = answer.json() as { docs: { doc?: { _source: unknown }; error?: { reason: string } }[] }
  return docs.map(({ doc, error }) => doc?._source ?? error?.reason)
}

beforeAll(async () => {
  const properties = {
    user: { properties: { email: { type: 'keyword' }, city: { type: 'keyword' }, secret: { type: 'keyword' } } },
    n: { type: 'integer' },
  }
  await put('/users', { mappings: { properties } })
  for (const [id, email, city, n] of [
    ['1', 'a@example.org', 'Berlin', 1],
    ['2', ['b@example.org', 'bb@example.org'], 'Paris', 2],
    ['3', 'a@example.org', 'Rome', 3],
    ['4', 'gone@example.org', 'Oslo', 4],
  ] as const)
    await put(`/users/_doc/${id}?refresh=true`, { user: { email, city, secret: 'not copied' }, n })
  await policy('users', { match: { ...users.match, query: { range: { n: { lt: 4 } } } } })
})

describe('a policy', () => {
  it('is shown as it was put', async () => {
    const config = { match: { name: 'users', ...users.match, indices: ['users'], query: { range: { n: { lt: 4 } } } } }
    expect((await send('/_enrich/policy/users')).json()).toEqual({ policies: [{ config }] })
    expect((await send('/_enrich/policy')).json()).toEqual({ policies: [{ config }] })
    expect((await send('/_enrich/policy/other')).json()).toEqual({ policies: [] })
  })

  it('is refused in the words of Elasticsearch', async () => {
    expect(await causeOf('/_enrich/policy/users', 'PUT', users)).toEqual([
      400,
      'resource_already_exists_exception',
      'policy [users] already exists',
    ])
    expect(await causeOf('/_enrich/policy/p', 'PUT', { fuzzy: {} })).toEqual([
      400,
      'illegal_argument_exception',
      'unsupported policy type [fuzzy], supported types are [geo_match, match, range]',
    ])
    const of = (change: object) => ({ match: { ...users.match, ...change } })
    expect(await causeOf('/_enrich/policy/p', 'PUT', of({ indices: 'none' }))).toEqual([
      404,
      'index_not_found_exception',
      'no such index [none]',
    ])
    expect((await causeOf('/_enrich/policy/p', 'PUT', of({ enrich_fields: ['x'] })))[0]).toBe(400)
    expect((await causeOf('/_enrich/policy/p', 'PUT', of({ more: 1 })))[1]).toBe('x_content_parse_exception')
    expect((await causeOf('/_enrich/policy/P', 'PUT', users))[2]).toBe('Invalid policy name [P], must be lowercase')
    expect(await causeOf('/_enrich/policy/none', 'DELETE')).toEqual([
      404,
      'resource_not_found_exception',
      'policy [none] not found',
    ])
    expect((await causeOf('/_enrich/policy/none/_execute', 'PUT'))[0]).toBe(404)
    const range = { range: { ...users.match, match_field: 'n' } }
    expect((await causeOf('/_enrich/policy/p', 'PUT', range))[2]).toBe(
      "Field 'n' has type [integer] which doesn't appear to be a range type",
    )
  })
})

describe('a policy in use', () => {
  it('cannot be used before it was executed, nor deleted while a pipeline uses it', async () => {
    await put('/_enrich/policy/later', users)
    const pipeline = {
      processors: [
        { foreach: { field: 'l', processor: { enrich: { policy_name: 'later', field: 'e', target_field: 't' } } } },
      ],
    }
    expect((await causeOf('/_ingest/pipeline/uses', 'PUT', pipeline))[2]).toBe(
      'no enrich index exists for policy with name [later]',
    )
    await put('/_enrich/policy/later/_execute')
    await put('/_ingest/pipeline/uses', pipeline)
    expect(await causeOf('/_enrich/policy/later', 'DELETE')).toEqual([
      409,
      'status_exception',
      'Could not delete policy [later] because a pipeline is referencing it [uses]',
    ])
    await send('/_ingest/pipeline/uses', { method: 'DELETE' })
    expect((await send('/_enrich/policy/later', { method: 'DELETE' })).json()).toEqual({ acknowledged: true })
    expect((await send('/_enrich/policy/later')).json()).toEqual({ policies: [] })
  })

  it('can be executed as a task', async () => {
    const { task } = (await put('/_enrich/policy/users/_execute?wait_for_completion=false')) as { task: string }
    const done = (await send(`/_tasks/${task}?wait_for_completion=true&timeout=30s`)).json()
    expect(done).toMatchObject({ completed: true, response: { status: { phase: 'COMPLETE' } } })
    const stats = (await send('/_enrich/_stats')).json() as { executing_policies: unknown[] }
    expect(stats.executing_policies).toEqual([])
  })
})

describe('the processor', () => {
  const options = { policy_name: 'users', field: 'email', target_field: 'u' }
  const berlin = { user: { email: 'a@example.org', city: 'Berlin' }, n: 1 }
  const rome = { user: { email: 'a@example.org', city: 'Rome' }, n: 3 }

  it('adds the first match, or a list of them', async () => {
    const [one] = await enriched(options, { email: 'a@example.org' })
    expect(one).toEqual({ email: 'a@example.org', u: berlin })
    const several = { ...options, max_matches: 5 }
    const [list, ofList] = await enriched(
      several,
      { email: 'a@example.org' },
      { email: ['bb@example.org', 'a@example.org'] },
    )
    expect(list).toMatchObject({ u: [berlin, rome] })
    expect((ofList as { u: { n: number }[] }).u.map(({ n }) => n)).toEqual([1, 2, 3])
  })

  it('leaves documents alone that nothing is known of, and those the policy left out', async () => {
    const documents = [{ email: 'none@example.org' }, { email: 'gone@example.org' }]
    expect(await enriched(options, ...documents)).toEqual(documents)
  })

  it('takes missing fields and older values as it is told', async () => {
    expect(await enriched(options, {})).toEqual(['field [email] not present as part of path [email]'])
    expect(await enriched({ ...options, ignore_missing: true }, {})).toEqual([{}])
    const kept = { email: 'a@example.org', u: 'older' }
    expect(await enriched({ ...options, override: false }, kept)).toEqual([kept])
    expect(await enriched(options, kept)).toEqual([{ ...kept, u: berlin }])
  })

  it('refuses options that mean nothing', async () => {
    for (const wrong of [{ max_matches: 129 }, { max_matches: 0 }, { policy_name: 'none' }, { more: 1 }]) {
      const body = { processors: [{ enrich: { ...options, ...wrong } }] }
      expect((await causeOf('/_ingest/pipeline/wrong', 'PUT', body))[0]).toBe(400)
    }
  })
})

describe('a table', () => {
  it('is what the indices were when the policy was executed, also after a write', async () => {
    await put('/grows', { mappings: { properties: { k: { type: 'keyword' }, v: { type: 'keyword' } } } })
    await put('/grows/_doc/1?refresh=true', { k: 'a', v: 'old' })
    await policy('grows', { match: { indices: ['grows'], match_field: 'k', enrich_fields: ['v'] } })
    await put('/_ingest/pipeline/grows', {
      processors: [{ enrich: { policy_name: 'grows', field: 'k', target_field: 'found' } }],
    })
    const written = async (id: string) => {
      await put(`/events/_doc/${id}?pipeline=grows`, { k: 'a' })
      return (await send(`/events/_source/${id}`)).json()
    }
    expect(await written('1')).toEqual({ k: 'a', found: { k: 'a', v: 'old' } })
    await put('/grows/_doc/1?refresh=true', { k: 'a', v: 'new' })
    expect(await written('2')).toEqual({ k: 'a', found: { k: 'a', v: 'old' } })
    await put('/_enrich/policy/grows/_execute')
    expect(await written('3')).toEqual({ k: 'a', found: { k: 'a', v: 'new' } })
  })

  it('holds ranges', async () => {
    await put('/nets', { mappings: { properties: { net: { type: 'ip_range' }, name: { type: 'keyword' } } } })
    await put('/nets/_doc/1', { net: '10.0.0.0/8', name: 'all' })
    await put('/nets/_doc/2?refresh=true', { net: { gte: '10.1.0.0', lte: '10.1.0.9' }, name: 'few' })
    await policy('nets', { range: { indices: 'nets', match_field: 'net', enrich_fields: ['name'] } })
    const options = { policy_name: 'nets', field: 'ip', target_field: 'nets', max_matches: 9 }
    const found = await enriched(options, { ip: '10.1.0.9' }, { ip: '10.1.0.10' }, { ip: '11.0.0.0' }, { ip: 'x' })
    const names = found.map((document) => (document as { nets?: { name: string }[] }).nets?.map(({ name }) => name))
    expect(names).toEqual([['all', 'few'], ['all'], undefined, undefined])
    expect(found[3]).toBe("'x' is not an IP string literal.")
  })

  it('holds shapes', async () => {
    await put('/zones', { mappings: { properties: { area: { type: 'geo_shape' }, name: { type: 'keyword' } } } })
    await put('/zones/_doc/1?refresh=true', { area: 'BBOX (0, 10, 10, 0)', name: 'gulf' })
    await policy('zones', { geo_match: { indices: 'zones', match_field: 'area', enrich_fields: ['name'] } })
    const options = { policy_name: 'zones', field: 'at', target_field: 'zone' }
    const found = await enriched(options, { at: { lat: 5, lon: 5 } }, { at: '20,20' })
    expect(found).toMatchObject([{ zone: { name: 'gulf' } }, { at: '20,20' }])
    const body = { processors: [{ enrich: { ...options, shape_relation: 'DISJOINT' } }] }
    expect((await causeOf('/_ingest/pipeline/wrong', 'PUT', body))[2]).toContain('[DISJOINT] is not supported')
  })
})

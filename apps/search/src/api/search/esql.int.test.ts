import { beforeAll, describe, expect, it } from 'vitest'
import { searchOverWire } from '../../testing/search-over-wire.ts'

const ask = searchOverWire()
const password = 'password-of-viewer'

async function put(path: string, body: object): Promise<void> {
  const answer = await ask(path, { method: 'PUT', body })
  expect(answer.status, answer.text).toBe(200)
}

async function query(body: object | string, { parameters = '', auth }: { parameters?: string; auth?: string } = {}) {
  const written = typeof body === 'string' ? { query: body } : body
  return ask(`/_query${parameters}`, { method: 'POST', body: written, ...(auth === undefined ? {} : { auth }) })
}

beforeAll(async () => {
  const properties = {
    '@timestamp': { type: 'date' },
    team: { type: 'keyword' },
    secret: { type: 'keyword' },
    n: { type: 'integer' },
    share: { type: 'double' },
    message: { type: 'text' },
  }
  await put('/events-a', { mappings: { properties }, aliases: { events: {} } })
  await put('/events-b', { mappings: { properties: { ...properties, n: { type: 'keyword' } } } })
  const documents = [
    { '@timestamp': '2026-01-01T00:00:00Z', team: 'a', secret: 'x', n: 1, share: 1, message: 'one, "quoted"' },
    { '@timestamp': '2026-01-02T00:00:00Z', team: 'b', secret: 'y', n: 2, share: 2.5, message: 'two' },
    { '@timestamp': '2026-01-03T00:00:00Z', team: ['a', 'c'], secret: 'z', n: 3 },
  ]
  const lines = documents.map((each) => `{"create":{"_index":"events-a"}}\n${JSON.stringify(each)}\n`)
  const headers = { 'content-type': 'application/x-ndjson' }
  const stored = await ask('/_bulk?refresh', { method: 'POST', body: lines.join(''), headers })
  expect(stored.json()).toMatchObject({ errors: false })
  const field_security = { grant: ['*'], except: ['secret'] }
  const indices = [{ names: ['events-a'], privileges: ['read'], query: { term: { team: 'b' } }, field_security }]
  await put('/_security/role/of-b', { indices })
  await put('/_security/user/viewer', { password, roles: ['of-b'] })
})

describe('an answer', () => {
  it('has columns and values', async () => {
    const answer = await query('FROM events-a | KEEP n, share, team, @timestamp | SORT n | LIMIT 2')
    expect(answer.json()).toEqual({
      took: expect.any(Number),
      is_partial: false,
      columns: [
        { name: 'n', type: 'integer' },
        { name: 'share', type: 'double' },
        { name: 'team', type: 'keyword' },
        { name: '@timestamp', type: 'date' },
      ],
      values: [
        [1, 1, 'a', '2026-01-01T00:00:00.000Z'],
        [2, 2.5, 'b', '2026-01-02T00:00:00.000Z'],
      ],
    })
    expect(answer.text).toContain('[[1,1.0,')
  })

  it('is by columns where that is asked for, and goes without those of nulls', async () => {
    const columnar = await query({ query: 'FROM events-a | KEEP n, share | SORT n', columnar: true })
    expect(columnar.json()).toMatchObject({
      values: [
        [1, 2, 3],
        [1, 2.5, null],
      ],
    })
    const text = 'FROM events-a | WHERE n == 3 | KEEP n, share'
    const without = await query(text, { parameters: '?drop_null_columns=true' })
    expect(without.json()).toMatchObject({
      all_columns: [{ name: 'n' }, { name: 'share' }],
      columns: [{ name: 'n' }],
      values: [[3]],
    })
  })

  it('says that no limit was given', async () => {
    const { headers } = await query('FROM events-a | KEEP n')
    expect(headers['warning']).toContain('No limit defined, adding default limit of [1000]')
    const limited = await query('FROM events-a | KEEP n | LIMIT 5')
    expect(limited.headers['warning']).toBeUndefined()
  })

  it.each([
    ['csv', 'text/csv', 'n,share,message,team\r\n1,1.0,"one, ""quoted""",a\r\n2,2.5,two,b\r\n3,,,"[a, c]"\r\n'],
    [
      'tsv',
      'text/tab-separated-values',
      'n\tshare\tmessage\tteam\n1\t1.0\tone, "quoted"\ta\n2\t2.5\ttwo\tb\n3\t\t\t[a, c]\n',
    ],
  ])('is written as %s', async (format, type, expected) => {
    const answer = await query('FROM events-a | KEEP n, share, message, team | SORT n', {
      parameters: `?format=${format}`,
    })
    expect([answer.headers['content-type'], answer.text]).toEqual([expect.stringContaining(type), expected])
  })

  it('is a table for people', async () => {
    const answer = await query('ROW a = 1, b = "x"', { parameters: '?format=txt' })
    expect(answer.text).toBe(
      [
        '       a       |       b       ',
        '---------------+---------------',
        '1              |x              ',
        '',
      ].join('\n'),
    )
  })
})

describe('a request', () => {
  it('brings values for its parameters', async () => {
    const places = await query({ query: 'FROM events-a | WHERE n == ? | KEEP n', params: [2] })
    expect(places.json()).toMatchObject({ values: [[2]] })
    const names = { query: 'FROM events-a | WHERE n > ?least | STATS c = COUNT(*)', params: [{ least: 1 }] }
    expect((await query(names)).json()).toMatchObject({ values: [[2]] })
    const columns = { query: 'FROM events-a | KEEP ??column | LIMIT ?count', params: [{ column: 'n' }, { count: 1 }] }
    expect((await query(columns)).json()).toMatchObject({ columns: [{ name: 'n' }] })
  })

  it('brings a filter that documents must meet', async () => {
    const filter = { range: { '@timestamp': { gte: '2026-01-02' } } }
    expect((await query({ query: 'FROM events-a | STATS c = COUNT(*)', filter })).json()).toMatchObject({
      values: [[2]],
    })
  })

  it.each([
    [{ query: 'FROM events-a | WHERE' }, 'parsing_exception', 'line 1:22: '],
    [{ query: 'FROM events-a | KEEP x' }, 'verification_exception', 'Found 1 problem\nline 1:22: Unknown column [x]'],
    [{ query: 'FROM nowhere' }, 'verification_exception', 'Unknown index [nowhere]'],
    [{ query: 'FROM none-*' }, 'verification_exception', 'Unknown index [none-*]'],
    [
      { query: 'FROM events-* | WHERE n == 1' },
      'verification_exception',
      'Cannot use field [n] due to ambiguities being mapped as [2] incompatible types: [integer] in [events-a], [keyword] in [events-b]',
    ],
    [{ query: 'ROW a = ?' }, 'parsing_exception', 'Not enough actual parameters 0'],
    [{ query: '' }, 'action_request_validation_exception', 'Validation Failed: 1: [query] is required;'],
    [
      { query: 1 },
      'x_content_parse_exception',
      "[1:10] [esql/query] query doesn't support values of type: VALUE_NUMBER",
    ],
    [
      { query: 'ROW a = 1', columnar: 'perhaps' },
      'x_content_parse_exception',
      '[1:33] [esql/query] failed to parse field [columnar]',
    ],
    [{ query: 'ROW a = 1', other: 1 }, 'x_content_parse_exception', '[1:22] [esql/query] unknown field [other]'],
    [
      { query: 'ROW a = ?, b = ?1', params: [1, 2] },
      'parsing_exception',
      'not a combination of positional and anonymous',
    ],
    [{ query: 'FROM events-a | KEEP ?x', params: [{ x: 'n' }] }, 'parsing_exception', 'declared as a constant'],
  ])('that is wrong is refused: %j', async (body, type, reason) => {
    const answer = await query(body)
    expect(answer.json()).toMatchObject({ error: { type, reason: expect.stringContaining(reason) } })
  })

  it.each([
    [{ x: 1, y: 2 }, 'Cannot parse more than one key:value pair as parameter, found [{y:2}, {x:1}]'],
    [{ x: { sort: 1 } }, '[sort] is not a valid param attribute'],
    [{ x: { identifier: 1 } }, '[1] is not a valid value for IDENTIFIER parameter'],
    [{ 'x-y': 1 }, '[x-y] is not a valid parameter name'],
  ])('whose parameter is wrong is refused: %j', async (param, reason) => {
    const answer = await query({ query: 'ROW a = ?x', params: [param] })
    expect(answer.json()).toMatchObject({
      error: {
        type: 'x_content_parse_exception',
        reason: expect.stringContaining('failed to parse field [params]'),
        caused_by: { reason: expect.stringContaining(`Failed to parse params: [1:33] ${reason}`) },
      },
    })
  })

  it('takes formats that are tables from this route only', async () => {
    const { status } = await ask('/_cat/indices?format=csv')
    expect(status).toBe(400)
    const both = await query({ query: 'ROW a = 1', columnar: true }, { parameters: '?format=csv' })
    expect(both.json()).toMatchObject({ error: { type: 'illegal_argument_exception' } })
  })
})

const text = 'FROM events-a | STATS c = COUNT(*)'
const submit = (body: object) => ask('/_query/async', { method: 'POST', body })

describe('a query in the background', () => {
  it('answers at once when it ends meanwhile, and is kept where that is asked for', async () => {
    const plain = await submit({ query: text })
    expect(plain.json()).toEqual(expect.objectContaining({ is_running: false, is_partial: false, values: [[3]] }))
    expect(plain.json()).not.toHaveProperty('id')
    const kept = await submit({ query: text, keep_on_completion: true, wait_for_completion_timeout: '100d' })
    const { id } = kept.json() as { id: string }
    expect(kept.headers).toMatchObject({ 'x-elasticsearch-async-id': id, 'x-elasticsearch-async-is-running': '?0' })
    const again = await ask(`/_query/async/${id}`)
    expect(again.json()).toMatchObject({ id, is_running: false, values: [[3]] })
    expect((await ask(`/_query/async/${id}`, { method: 'DELETE' })).json()).toEqual({ acknowledged: true })
    expect((await ask(`/_query/async/${id}`)).status).toBe(404)
  })

  it('is shown in the format of each request, with its warnings', async () => {
    const body = { query: 'FROM events-a | SORT n | KEEP n, share, team, message', keep_on_completion: true }
    const first = await ask('/_query/async?format=tsv', { method: 'POST', body })
    expect(first.text).toBe('n\tshare\tteam\tmessage\n1\t1.0\ta\tone, "quoted"\n2\t2.5\tb\ttwo\n3\t\t[a, c]\t\n')
    expect(first.headers['warning']).toContain('No limit defined')
    const id = String(first.headers['x-elasticsearch-async-id'])
    const csv = await ask(`/_query/async/${id}?format=csv&delimiter=;`)
    expect(csv.text).toBe('n;share;team;message\r\n1;1.0;a;"one, ""quoted"""\r\n2;2.5;b;two\r\n3;;[a, c];\r\n')
    expect(csv.headers).toMatchObject({ 'content-type': 'text/csv; charset=utf-8; header=present' })
    expect(csv.headers['warning']).toContain('No limit defined')
    expect((await ask(`/_query/async/${id}?format=txt`)).text).toContain('       n       |     share')
    expect((await ask(`/_query/async/${id}`)).text).toContain('[[1,1.0,"a",')
    const wrong = await ask('/_query/async?format=tsv&delimiter=;', { method: 'POST', body })
    expect([wrong.status, wrong.text]).toEqual([400, expect.stringContaining('can only be used with the format [csv]')])
  })

  it('keeps numbers and documents as they are', async () => {
    const body = {
      query: 'FROM events-a METADATA _source | LIMIT 1 | EVAL d = 1e20, l = 9223372036854775807 | KEEP d, l, _source',
    }
    const [now, later] = [await query(body), await submit({ ...body, keep_on_completion: true })]
    const values = (written: string) => written.slice(written.indexOf('"values"'))
    expect(values(later.text)).toBe(values(now.text))
    expect(values(now.text)).toContain('[[1.0E20,9223372036854775807,{"@timestamp"')
  })

  it('can be stopped, and has no rows where it had not ended', async () => {
    const lists = Array.from({ length: 9 }, (_, at) => `l${at} = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]`)
    const expanded = lists.map((_, at) => `MV_EXPAND l${at}`).join(' | ')
    const slow = await submit({
      query: `ROW ${lists.join(', ')} | ${expanded} | STATS c = COUNT(*)`,
      wait_for_completion_timeout: '0ms',
    })
    const { id } = slow.json() as { id: string }
    expect(slow.json()).toMatchObject({ is_running: true })
    const stopped = await ask(`/_query/async/${id}/stop`, { method: 'POST' })
    expect(stopped.json()).toMatchObject({ id, is_running: false, is_partial: true, columns: [], values: [] })
    expect((await ask(`/_query/async/${id}`)).json()).toMatchObject({ is_running: false, is_partial: true })
    const ended = await submit({ query: text, keep_on_completion: true, wait_for_completion_timeout: '10s' })
    const { id: other } = ended.json() as { id: string }
    const whole = await ask(`/_query/async/${other}/stop`, { method: 'POST' })
    expect(whole.json()).toMatchObject({ is_running: false, is_partial: false, values: [[3]] })
    expect((await ask(`/_query/async/${id}x/stop`, { method: 'POST' })).status).toBe(404)
  })
})

describe('the queries in the background', () => {
  it('are found by their owners only', async () => {
    const kept = await submit({ query: text, keep_on_completion: true, wait_for_completion_timeout: '10s' })
    const { id } = kept.json() as { id: string }
    expect((await ask(`/_query/async/${id}`, { auth: `viewer:${password}` })).status).toBe(404)
    expect((await ask(`/_eql/search/${id}`)).status).toBe(404)
  })

  it('tell what is wrong as a query at once does', async () => {
    const answer = await submit({ query: 'FROM events-a | KEEP x' })
    expect([answer.status, answer.json()]).toEqual([400, expect.objectContaining({ status: 400 })])
  })
})

describe('a role', () => {
  const auth = `viewer:${password}`

  it('shows the documents it grants, and no others', async () => {
    const seen = await query('FROM events-a | STATS c = COUNT(*), m = MAX(n)', { auth })
    expect(seen.json()).toMatchObject({ values: [[1, 2]] })
  })

  it('hides fields as if there were none', async () => {
    const all = await query('FROM events-a | LIMIT 1', { auth })
    expect(all.text).not.toContain('secret')
    const named = await query('FROM events-a | WHERE secret == "y"', { auth })
    expect(named.json()).toMatchObject({ error: { reason: expect.stringContaining('Unknown column [secret]') } })
  })

  it('must grant the index', async () => {
    const answer = await query('FROM events-b', { auth })
    expect([answer.status, answer.json()]).toEqual([400, expect.objectContaining({ status: 400 })])
    const narrowed = await query('FROM events-* | STATS c = COUNT(*)', { auth })
    expect(narrowed.json()).toMatchObject({ values: [[1]] })
  })
})

describe('another method', () => {
  it.each([
    ['GET', '/_query', 'POST'],
    ['PUT', '/_query', 'POST'],
    ['GET', '/_query/async', 'POST'],
    ['GET', '/_query/async/abc/stop', 'POST'],
  ])('%s %s is told what it may be', async (method, path, allowed) => {
    const answer = await ask(path, { method })
    expect([answer.status, answer.json(), answer.headers['allow']]).toEqual([
      405,
      { error: `Incorrect HTTP method for uri [${path}] and method [${method}], allowed: [${allowed}]`, status: 405 },
      allowed,
    ])
  })
})

import { afterAll, beforeAll, expect, it } from 'vitest'
import { openSampleLogs, type SampleLogs } from '../../testing/sample-logs.ts'

interface Hit {
  readonly fields?: Readonly<Record<string, readonly unknown[]>>
  readonly highlight?: Readonly<Record<string, readonly string[]>>
}

let logs: SampleLogs
// What every object of JavaScript has by itself is a name like all others in a document.
const names = ['toString', 'constructor', '__proto__', 'valueOf'] as const
const keyword = { type: 'keyword' }

beforeAll(async () => {
  logs = await openSampleLogs()
  const properties = Object.fromEntries([
    ...names.map((name) => [name, keyword] as const),
    ['n', { type: 'long' }],
    ['at', { type: 'date', format: 'dd/MM/yyyy' }],
    ['word', keyword],
    ['span', { type: 'integer_range' }],
    ['labels', { type: 'flattened' }],
  ])
  await logs.services.create('odd', { properties })
  const ofNames = names.map((name) => `"${name}":"of ${name}"`).join(',')
  const rest =
    '"n":[10,9,10,-3],"at":["02/01/2026","01/02/2026"],"word":["b","a","b"],"span":[{"gte":20,"lt":30},{"gte":1}],"labels":{"toString":"x","a":{"valueOf":1}}'
  await logs.services.write('odd', [['1', JSON.parse(`{${ofNames},${rest}}`)]])
})
afterAll(() => logs.services.close())

async function hit(body: object): Promise<Hit> {
  const { hits } = (await logs.answer(body, {}, 'odd')) as { readonly hits: { readonly hits: readonly Hit[] } }
  return hits.hits[0] ?? {}
}

it.each(['fields', 'docvalue_fields'])('shows fields called as what objects have by themselves in %s', async (kind) => {
  for (const pattern of ['*', '**', ...names]) {
    const { fields = {} } = await hit({ [kind]: [pattern], _source: false })
    const asked = pattern.includes('*') ? names : [pattern]
    for (const name of asked)
      expect([name, Object.getOwnPropertyDescriptor(fields, name)?.value]).toEqual([name, [`of ${name}`]])
  }
})

it('shows kept values in their order, equal texts once and equal numbers as often as they are there', async () => {
  const { fields } = await hit({ docvalue_fields: ['n', 'at', 'word', 'labels', 'span'] })
  expect(fields).toEqual({
    n: [-3, 9, 10, 10],
    at: ['02/01/2026', '01/02/2026'],
    word: ['a', 'b'],
    labels: ['1', 'x'],
    span: [{ gte: 1 }, { gte: 20, lt: 30 }],
  })
})

it('gives scripts such fields, and results their names', async () => {
  const source = "doc['toString'].value + ', ' + doc['constructor'].value"
  const { fields } = await hit({ script_fields: { valueOf: { script: source } } })
  expect(fields).toEqual({ valueOf: ['of toString, of constructor'] })
})

it('marks matches in such fields, and looks for none in trees', async () => {
  const query = { term: { ['toString']: 'of toString' } }
  const { highlight } = await hit({ query, highlight: { fields: { '*': {} }, require_field_match: false } })
  expect(highlight).toEqual({ ['toString']: ['<em>of toString</em>'] })
})

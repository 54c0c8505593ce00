import { expect, it } from 'vitest'
import { compileMapping } from '../indices/compiled-mapping.ts'
import { systemScope } from '../security/role-scope.ts'
import { createLowerContext } from './lower-context.ts'

/** The context of an index whose keyword fields are named, and how often one of them was looked up. */
function contextOf(...names: string[]) {
  const mapping = { properties: Object.fromEntries(names.map((name) => [name, { type: 'keyword' }])) }
  const { fields } = compileMapping(mapping, {})
  const read = { count: 0 }
  const counted = new Map(fields)
  counted.get = (path) => {
    read.count += 1
    return fields.get(path)
  }
  const index = { name: 'logs', settings: {}, mapping }
  return { context: createLowerContext({ index, fields: counted, scope: systemScope, nowMs: 0 }), read }
}

it('looks a field up once, however many other indices it is compared with', () => {
  const { context, read } = contextOf('a', 'b', 'c')
  const query = { query_string: { query: 'x' } }
  const traces = ['b', 'c'].map((own) => {
    const other = contextOf('a', own)
    other.context.lower(query)
    return other.context.trace
  })
  expect(traces.map((trace) => context.agrees(trace))).toEqual([false, false])
  const before = read.count
  for (const trace of traces) expect(context.agrees(trace)).toBe(false)
  expect([before > 0, read.count]).toEqual([true, before])
  const alike = contextOf('a', 'b', 'c')
  alike.context.lower(query)
  expect(context.agrees(alike.context.trace)).toBe(true)
})

import { expect, it } from 'vitest'
import { compileMapping } from '../indices/compiled-mapping.ts'
import { systemScope } from '../security/role-scope.ts'
import { createLowerContext } from './lower-context.ts'

const mapping = { properties: { source: { properties: { ip: { type: 'ip' } } }, at: { type: 'date' } } }
const { fields } = compileMapping(mapping, {})
const context = createLowerContext({
  index: { name: 'logs', settings: {}, mapping },
  fields,
  scope: systemScope,
  nowMs: 0,
})
const address = (_: unknown, at: number) => `10.0.${at >> 8}.${at % 256}`
const some = Array.from({ length: 5_000 }, address)

it('takes a list of addresses as one clause', () => {
  const field = { path: 'source.ip', type: 'ip' }
  expect(context.lower({ terms: { 'source.ip': some } })).toEqual({ op: 'equals', field, values: some })
  expect(context.lower({ terms: { 'source.ip': ['10.1.0.0/16', ...some] } })).toEqual({
    op: 'or',
    of: [
      { op: 'equals', field, values: some },
      { op: 'range', field, bounds: { gte: '10.1.0.0', lte: '10.1.255.255' } },
    ],
  })
})

it('counts each block of addresses, each day and each alternative', () => {
  const tooMany = 'maxClauseCount is set to 4096'
  const blocks = some.map((one) => `${one}/31`)
  expect(() => context.lower({ terms: { 'source.ip': blocks } })).toThrow(tooMany)
  expect(() => context.lower({ terms: { at: some.map((_, day) => day) } })).toThrow(tooMany)
  const should = some.map((one) => ({ term: { 'source.ip': one } }))
  expect(() => context.lower({ bool: { should } })).toThrow(tooMany)
})

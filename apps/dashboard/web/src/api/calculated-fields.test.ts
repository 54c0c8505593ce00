import { expect, test } from 'vitest'
import { calculatedOf, calculatedWanted, noteCalculated, withCalculated } from './calculated-fields.ts'

const field = (source: string) => ({ type: 'keyword', script: { source } })

test('a search has the definitions of the fields that it names, and of those these are calculated of', () => {
  const runtime = {
    name: field("emit(doc['family'].value)"),
    family: field("emit('x')"),
    other: field("emit('y')"),
    parts: { type: 'composite', script: { source: "emit('a', 1)" }, fields: { a: { type: 'long' } } },
  }
  noteCalculated([{ id: 'p', title: 'logs-*', runtime }])
  const asked = (body: object) =>
    Object.keys((withCalculated('logs-*', body) as { runtime_mappings?: object }).runtime_mappings ?? {})
  expect(asked({ query: { match: { name: 'x' } } })).toEqual(['name', 'family'])
  expect(asked({ aggs: { a: { max: { field: 'parts.a' } } } })).toEqual(['parts'])
  const body = { query: { match_all: {} } }
  expect(withCalculated('logs-*', body)).toBe(body)
  expect(withCalculated('metrics-*', { field: 'name' })).toEqual({ field: 'name' })
  expect(calculatedWanted('logs-*')).toEqual({ fields: ['name', 'family', 'other', 'parts.a'] })
})

test('patterns of the same indices are asked together, and each is forgotten with its fields', () => {
  noteCalculated([{ id: 'one', title: 'same-*', runtime: { a: field('1') } }])
  noteCalculated([{ id: 'two', title: 'same-*', runtime: { b: field('2') } }])
  expect(Object.keys(calculatedOf('same-*') ?? {})).toEqual(['a', 'b'])
  noteCalculated([{ id: 'one', title: 'same-*', runtime: {} }])
  expect(Object.keys(calculatedOf('same-*') ?? {})).toEqual(['b'])
  noteCalculated([{ id: 'two', title: 'same-*', runtime: {} }])
  expect(calculatedOf('same-*')).toBeUndefined()
  expect(calculatedWanted('same-*')).toEqual({})
})

test('what a search defines itself goes before what is noted', () => {
  const noted = { type: 'long', script: 'emit(1)', on_script_error: 'continue' as const }
  noteCalculated([{ id: 'own', title: 'own-*', runtime: { one: noted, two: noted } }])
  const own = { type: 'long', script: 'emit(1)' }
  const body = { fields: ['one', 'two'], runtime_mappings: { one: own } }
  expect(withCalculated('own-*', body)).toEqual({ ...body, runtime_mappings: { one: own, two: noted } })
})

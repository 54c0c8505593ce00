import { expect, test } from 'vitest'
import { runtimeFieldsOf } from './runtime-fields.ts'
import { emitting } from './scripted-field.ts'

// What a script gives is put in brackets in place of the code that emits it.
const shown = (script: string): string =>
  emitting(script, 'keyword').replaceAll(
    /\{ def scripted = (.*?); if \(scripted != null\) \{ emit\(String\.valueOf\(scripted\)\); \} return; \}/gs,
    '<$1>',
  )

test.each([
  ["doc['a'].value", "<doc['a'].value>"],
  ["doc['a'].value; // the end", "<doc['a'].value>"],
  ["def x = doc['a'].value; x * 2", "def x = doc['a'].value;<x * 2>"],
  ["if (a) { return 'x'; } return 'y'", "if (a) { <'x'> } <'y'>"],
  ['if (a) return 1; else return 2;', 'if (a) <1> else <2>'],
  ['if (a) { return null }', 'if (a) { return;}'],
  ["'no; return here'", "<'no; return here'>"],
  ['/* return 1; */ x', '<x>'],
  ['int twice(int x) { return x * 2; } twice(3)', 'int twice(int x) { return x * 2; }<twice(3)>'],
  ['int a = 1; int twice(int x) { return x * 2 } twice(a)', 'int a = 1; int twice(int x) { return x * 2 }<twice(a)>'],
  [
    'l.stream().map(x -> { return x + 1; }).findFirst().get()',
    '<l.stream().map(x -> { return x + 1; }).findFirst().get()>',
  ],
  ["for (x in l) { if (x == 'a') { return x; } } return ''", "for (x in l) { if (x == 'a') { <x> } } <''>"],
])('the scripted field %s emits %s', (script, expected) => {
  expect(shown(script).trim()).toBe(expected)
})

test('an index pattern calculates its runtime and its scripted fields, in what search takes', () => {
  const runtimeFieldMap = JSON.stringify({
    kb: { type: 'double', script: { source: 'emit(1)' }, customLabel: 'KB', count: 4, format: { id: 'number' } },
    parts: { type: 'composite', script: { source: "emit('a', 1)" }, fields: { a: { type: 'long', popularity: 2 } } },
    elsewhere: { type: 'lookup', target_index: 'x' },
  })
  const fields = JSON.stringify([
    { name: 'plain', type: 'string' },
    { name: 'ratio', type: 'number', scripted: true, lang: 'expression', script: "sqrt(doc['a'].value)" },
  ])
  const found = runtimeFieldsOf({ runtimeFieldMap, fields })
  expect(found).toMatchObject({
    kb: { type: 'double', script: { source: 'emit(1)' } },
    parts: { type: 'composite', fields: { a: { type: 'long' } } },
    ratio: { type: 'double', on_script_error: 'continue' },
  })
  expect(Object.keys(found)).toEqual(['ratio', 'kb', 'parts'])
  expect(Object.keys(found['kb'] ?? {})).toEqual(['type', 'script'])
  expect(JSON.stringify(found['ratio'])).toContain("Math.sqrt((doc['a'].size() == 0 ? 0 : doc['a'].value))")
})

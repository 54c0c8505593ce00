import { expect, it } from 'vitest'
import { groupPattern } from './group-pattern.ts'

it.each([
  ['^(?<a>x)(y)(?<b>z)$', 'xyz'],
  ['(?:(?<a>\\d+)|(?<b>\\w+))-(?<c>.*)', 'abc-'],
  ['[(](?<a>[^)(]*)[)]\\((?<b>\\d)', '(in)(7'],
  ['\\\\(?<a>.)[\\]()?<x>](?<b>.)', '\\q)r'],
  ['(?<a>a)?(?<b>b)', 'b'],
])('%s finds in %j what names find', (source, text) => {
  const named = new RegExp(source, 's').exec(text)?.groups
  const compiled = groupPattern(source)
  const found = compiled?.pattern.exec(text)
  expect(named).toBeDefined()
  expect(Object.fromEntries((compiled?.groups ?? []).map(({ name, at }) => [name, found?.[at]]))).toEqual({ ...named })
})

it.each(['(?<a>x', '(?=a)b', '(?<!a)b', '(?<=a)b', '(?<a>x)\\k<a>', 'a{1,5000}'])('%s is refused', (source) => {
  expect(groupPattern(source)).toBeUndefined()
})

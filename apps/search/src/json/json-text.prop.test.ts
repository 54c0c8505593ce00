import fc from 'fast-check'
import { expect, it } from 'vitest'
import { duplicateName, printCompact, printPretty, readJsonText } from './json-text.ts'

it('prints what it read, compact and pretty', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const text = JSON.stringify(value)
      expect(printCompact(readJsonText(text))).toBe(text)
      expect(JSON.parse(printPretty(readJsonText(text)))).toEqual(JSON.parse(text))
    }),
  )
})

it('reads strings of any length, whatever is in them', () => {
  for (const letters of ['x', '\\', '"', '{"x":'])
    expect(duplicateName(`{"a":${JSON.stringify(letters.repeat(9_000_000 / letters.length))},"b":1,"a":2}`)?.name).toBe(
      'a',
    )
})

it('finds a name that stands twice, and nothing else', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.string(), (value, name) => {
      const text = JSON.stringify(value)
      expect(duplicateName(text)).toBeUndefined()
      const twice = `{"x":[{${JSON.stringify(name)} : ${text},"other":{}, ${JSON.stringify(name)}:1}]}`
      expect(duplicateName(twice)?.name).toBe(name)
    }),
  )
})

import { AppError } from '@logstack/errors'
import { expect, it } from 'vitest'
import { mergeSource, parseExactJson, parseSource, sameJson, writeSource } from './source-json.ts'

it('keeps integers beyond 2^53 through reading and writing', () => {
  const text = '{"a":9007199254740993,"b":[-18446744073709551615,1],"c":"12345678901234567890","d":0.1234567890123456}'
  const source = parseSource(Buffer.from(text))
  expect(source).toEqual({
    a: 9007199254740993n,
    b: [-18446744073709551615n, 1],
    c: '12345678901234567890',
    d: 0.1234567890123456,
  })
  expect(String(writeSource(source))).toBe(text)
})

it.each([
  ['{"a":', '[1:6] failed to parse: [1:6] Unexpected end of file'],
  [
    '{"a":1}\n x',
    "[2:3] [2:3] Unrecognized token 'x': was expecting (JSON String, Number, Array, Object or token 'null', 'true' or 'false')",
  ],
  ['[1]', '[1:1] Malformed content, must start with an object'],
  ['null', '[1:1] Malformed content, must start with an object'],
])('refuses %j', (text, reason) => {
  expect(() => parseSource(Buffer.from(text))).toThrow(
    expect.objectContaining({ code: 'document_parsing_exception', message: reason }),
  )
  expect(() => parseSource(Buffer.from(text))).toThrow(AppError)
})

it('merges objects key by key and replaces everything else, without touching the original', () => {
  const source = { a: { b: 1, c: [1, 2] }, d: 'x' }
  expect(mergeSource(source, { a: { c: [3] }, e: null })).toEqual({
    merged: { a: { b: 1, c: [3] }, d: 'x', e: null },
    changed: true,
  })
  expect(mergeSource(source, { a: { c: [1, 2] }, d: 'x' }).changed).toBe(false)
  expect(source).toEqual({ a: { b: 1, c: [1, 2] }, d: 'x' })
  const hostile = mergeSource({}, JSON.parse('{"__proto__":{"polluted":1}}') as Record<string, unknown>)
  expect(String(writeSource(hostile.merged))).toBe('{"__proto__":{"polluted":1}}')
  expect(Object.keys({})).not.toContain('polluted')
})

it('compares JSON by value, keys in any order', () => {
  expect(sameJson({ a: [1, { b: null }], c: 2 }, { c: 2, a: [1, { b: null }] })).toBe(true)
  expect(sameJson({ a: 1 }, { b: 1 })).toBe(false)
  expect(sameJson([1], { 0: 1 })).toBe(false)
  expect(sameJson([1, 2], [1])).toBe(false)
})

it.each([
  ['lists', '[', ']'],
  ['objects', '{"a]}":', '}'],
])('reads %s in each other a thousand deep and no deeper', (_what, open, close) => {
  const text = (depth: number) => `${open.repeat(depth)}"}\\"]"${close.repeat(depth)}`
  expect(parseExactJson(text(1_000))).toEqual(JSON.parse(text(1_000)))
  expect(() => parseExactJson(text(1_001))).toThrow('Document nesting depth (1001) exceeds the maximum allowed (1000')
})

import { expect, test } from 'vitest'
import { compileScript } from '../painless/script.ts'
import { byteSize, urlDecoded } from './text-values.ts'

test.each([
  ['1kb', 1024],
  ['1.5 MB', 1_572_864],
  ['7b', 7],
  ['1', undefined],
  ['-1kb', undefined],
  ['1xb', undefined],
])('%s is %s bytes', (text, bytes) => {
  expect(byteSize(text)).toBe(bytes)
})

test('text that is not URL-encoded is none', () => {
  expect(urlDecoded('a%20b')).toBe('a b')
  expect(urlDecoded('%zz')).toBeUndefined()
})

test('scripts call them as Processors', () => {
  const script = compileScript("return [Processors.bytes('1kb'), Processors.json('[1]'), Processors.urlDecode('%41')]")
  expect(script({})).toEqual([1024, [1], 'A'])
})

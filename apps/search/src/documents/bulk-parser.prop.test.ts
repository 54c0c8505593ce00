import { isAppError } from '@logstack/errors'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { parseBulk } from './bulk-parser.ts'

const compileScript = () => (): void => undefined
const source = fc.jsonValue({ maxDepth: 2 }).map((value) => JSON.stringify(value))

it('reads back every document it was given, whatever lies between them', () => {
  const gap = fc.constantFrom('', '\n', '\r\n', ' \n')
  fc.assert(
    fc.property(fc.array(fc.tuple(source, gap, fc.constantFrom('\n', '\r\n')), { minLength: 1 }), (documents) => {
      const body = documents
        .map(([text, before, end]) => `${before}{"index":{"_index":"i"}}${end}${text}${end}`)
        .join('')
      const operations = parseBulk(Buffer.from(body), { compileScript })
      expect(operations.map((operation) => String(operation.source))).toEqual(documents.map(([text]) => text))
    }),
  )
})

it('answers any bytes with operations or an error of the catalogue', () => {
  const noise = fc.array(fc.oneof(fc.string(), source, fc.constant('{"index":{"_index":"a"}}')), { minLength: 1 })
  fc.assert(
    fc.property(noise, (lines) => {
      try {
        expect(parseBulk(Buffer.from(`${lines.join('\n')}\n`), { compileScript }).length).toBeGreaterThan(0)
      } catch (thrown) {
        expect(isAppError(thrown)).toBe(true)
      }
    }),
  )
})

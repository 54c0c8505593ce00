import { isAppError } from '@logstack/errors'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseQueryString } from './parse.ts'
import { parseSimpleQueryString } from './parse-simple.ts'

const runs = Number(process.env['LOGSTACK_CASES'] ?? 500)
const piece = fc.constantFrom(
  'a',
  'field:',
  '"',
  '(',
  ')',
  '[',
  ']',
  '{',
  '}',
  ' TO ',
  'AND',
  ' OR ',
  'NOT ',
  '+',
  '-',
  '!',
  '*',
  '?',
  '\\',
  '/',
  '^2',
  '~',
  ':',
  '>',
  '<=',
  ' ',
  '&&',
  '||',
  '\\u00e4',
)
const text = fc.oneof(
  fc.string(),
  fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join('')),
)

describe('query strings', () => {
  it('parse, or fail as a parse_exception', () => {
    fc.assert(
      fc.property(text, (given) => {
        try {
          parseQueryString(given, 'or')
        } catch (thrown) {
          expect(isAppError(thrown) && thrown.code).toBe('query_string_parse_exception')
        }
      }),
      { numRuns: runs },
    )
  })

  it('always parse when they are simple', () => {
    fc.assert(
      fc.property(text, (given) => {
        expect(parseSimpleQueryString(given, 'and')).toHaveProperty('type')
      }),
      { numRuns: runs },
    )
  })

  it('read any escaped text back as itself', () => {
    const escaped = (value: string) => value.replace(/[-+=&|!(){}[\]^"~*?:\\/<>\s]/gu, '\\$&')
    fc.assert(
      fc.property(
        fc.string({ minLength: 1 }).filter((value) => !/^(AND|OR|NOT|u)$/u.test(value) && !/[^\S ]/u.test(value)),
        (value) => {
          const written = escaped(value)
          expect(parseQueryString(`f:${written}`, 'or')).toMatchObject({
            type: 'term',
            field: 'f',
            text: value,
            pattern: undefined,
          })
        },
      ),
      { numRuns: runs },
    )
  })
})

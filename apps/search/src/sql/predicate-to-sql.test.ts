import type { Field, Predicate } from '@logstack/rules'
import { describe, expect, it } from 'vitest'
import { predicateSql } from './predicate-to-sql.ts'
import { ident } from './sql.ts'
import { timePruning } from './time-pruning.ts'

const lookup = ({ path }: Field) =>
  path === 'absent' ? undefined : { one: ident(`c_${path}`), many: path === 'tags' ? ident('m_tags') : undefined }
const text = (predicate: Predicate) => predicateSql(predicate, lookup).text
const name: Field = { path: 'name', type: 'string' }
const tags: Field = { path: 'tags', type: 'string' }

describe('predicates in SQL', () => {
  it('escapes values and looks into the array companion', () => {
    expect(text({ op: 'equals', field: tags, values: ["it's \\"] })).toMatchInlineSnapshot(
      `"(\`c_tags\` = 'it\\'s \\\\' OR has(\`m_tags\`, 'it\\'s \\\\'))"`,
    )
  })

  it('keeps documents without the field in a negation', () => {
    expect(text({ op: 'not', of: { op: 'range', field: name, bounds: { gt: 'a', lte: 'b' } } })).toMatchInlineSnapshot(
      `"NOT ifNull((\`c_name\` > 'a' AND \`c_name\` <= 'b'), 0)"`,
    )
  })

  it('guards below a negation only what can be without a value, so that the token index is asked', () => {
    const word = (token: string): Predicate => ({ op: 'tokens', field: name, tokens: [token], count: 1 })
    const range: Predicate = { op: 'range', field: name, bounds: { gt: 'a' } }
    const shown = text({ op: 'not', of: { op: 'or', of: [{ op: 'and', of: [word('x'), range] }, word('y')] } })
    expect(shown.replaceAll(/(hasA..)\(.*?, (\['.'\])\)/g, '$1($2)')).toMatchInlineSnapshot(
      `"NOT (hasAll(['y']) OR (hasAll(['x']) AND ifNull((\`c_name\` > 'a'), 0)))"`,
    )
  })

  it('says counted conditions twice only where the token index can rule out rows, and not at each level of counts', () => {
    const indexed = (field: Field) => ({ one: ident(`c_${field.path}`), many: undefined, cut: 'pattern' as const })
    const word = (token: string): Predicate => ({ op: 'tokens', field: name, tokens: [token], count: 1 })
    const range: Predicate = { op: 'range', field: name, bounds: { gt: 'a' } }
    const mentions = (of: readonly Predicate[], token: string): number =>
      predicateSql({ op: 'at-least', count: 2, of }, indexed).text.split(`['${token}']`).length - 1
    expect(mentions([word('x'), word('y'), range], 'x')).toBe(2)
    expect(mentions([word('x'), range, range], 'x')).toBe(1)
    const deep = (levels: number): Predicate =>
      levels === 0
        ? word('z')
        : { op: 'at-least', count: 2, of: [{ op: 'not', of: deep(levels - 1) }, range, word('x')] }
    expect(mentions([deep(20), word('x'), word('y')], 'z')).toBeLessThanOrEqual(2)
  })

  it('finds nothing where no document has the field', () => {
    expect(text({ op: 'present', field: { path: 'absent', type: 'long' } })).toBe('0')
  })

  it('writes patterns for LIKE with its own signs escaped', () => {
    expect(
      text({ op: 'pattern', field: name, pattern: { kind: 'wildcard', text: 'a_%*?\\*', caseInsensitive: false } }),
    ).toMatchInlineSnapshot(`"\`c_name\` LIKE 'a\\\\_\\\\%%_*'"`)
  })
})

it('narrows the sort key by ranges every match must satisfy, and by no others', () => {
  const range: Predicate = { op: 'range', field: { path: '@timestamp', type: 'date' }, bounds: { gte: 10, lt: 20 } }
  const shown = (predicate: Predicate) => timePruning(predicate).map((condition) => condition.text)
  expect(shown({ op: 'and', of: [range, { op: 'present', field: name }] })).toEqual(['_time >= 10', '_time <= 20'])
  expect(shown({ op: 'or', of: [range, { op: 'present', field: name }] })).toEqual([])
  expect(shown({ op: 'not', of: range })).toEqual([])
})

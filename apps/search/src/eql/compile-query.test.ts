import { parseQuery } from '@logstack/eql'
import { describe, expect, it } from 'vitest'
import { resolvedFields } from '../indices/resolved-fields.ts'
import { systemScope } from '../security/role-scope.ts'
import { compileQuery } from './compile-query.ts'

const keyword = { type: 'keyword' }
const mapping = {
  properties: {
    '@timestamp': { type: 'date' },
    event: { properties: { category: keyword } },
    name: keyword,
    text: { type: 'text', fields: { raw: keyword } },
    n: { type: 'long' },
    ip: { type: 'ip' },
    ok: { type: 'boolean' },
    "it's": keyword,
  },
}
const indices = [{ index: { name: 'i', mapping }, fields: resolvedFields({ mapping, settings: {} }) }]

function planOf(query: string) {
  return compileQuery(parseQuery(query), {
    query,
    scope: systemScope,
    indices,
    runtime: new Map(),
    categoryField: 'event.category',
    timestampField: '@timestamp',
    tiebreakerField: undefined,
  })
}

const clauseOf = (condition: string) => {
  const plan = planOf(`any where ${condition}`)
  return plan.kind === 'event' ? plan.clause : undefined
}

const exists = (field: string) => ({ exists: { field } })
const term = (field: string, value: unknown) => ({ term: { [field]: { value } } })
const not = (clause: object) => ({ bool: { must_not: [clause] } })
const all = (...filter: object[]) => ({ bool: { filter } })
const any = (...should: object[]) => ({ bool: { should, minimum_should_match: 1 } })
const nothing = { match_none: {} }

describe('a condition as a clause', () => {
  it.each([
    ['true', { match_all: {} }],
    ['null', nothing],
    ['ok', term('ok', true)],
    ['not ok', term('ok', false)],
    ['name == "a"', term('name', 'a')],
    ['name != "a"', all(exists('name'), not(term('name', 'a')))],
    ['not name == "a"', all(exists('name'), not(term('name', 'a')))],
    ['text == "a"', term('text.raw', 'a')],
    ['5 < n', { range: { n: { gt: 5 } } }],
    ['not n < 5', { range: { n: { gte: 5 } } }],
    ['n == 9007199254740993', term('n', 9007199254740993n)],
    ['name : "a"', { term: { name: { value: 'a', case_insensitive: true } } }],
    ['name : "a\\\\*"', { wildcard: { name: { value: 'a\\\\*', case_insensitive: true } } }],
    ['name like "a?"', { wildcard: { name: { value: 'a?' } } }],
    ['name regex~ "a+"', { regexp: { name: { value: 'a+', case_insensitive: true } } }],
    ['name in ("a", "b")', { terms: { name: ['a', 'b'] } }],
    [
      'name : (1, "b*")',
      any({ wildcard: { name: { value: 'b*', case_insensitive: true } } }, { terms: { name: ['1'] } }),
    ],
    ['cidrMatch(ip, "10.0.0.0/8")', { terms: { ip: ['10.0.0.0/8'] } }],
    ['startsWith(name, "a*")', { prefix: { name: { value: 'a*' } } }],
    ['endsWith~(name, "a*")', { wildcard: { name: { value: '*a\\*', case_insensitive: true } } }],
    ['stringContains(name, "")', nothing],
    ['n == null', not(exists('n'))],
    ['text != null', exists('text')],
    ['?x == "a" or n == 1', any(nothing, term('n', 1))],
    ['n == 1 and (ok or name == "a")', all(term('n', 1), any(term('ok', true), term('name', 'a')))],
    ['not (n == 1 and ok)', any(all(exists('n'), not(term('n', 1))), term('ok', false))],
    ['not (n == 1 or ok)', all(all(exists('n'), not(term('n', 1))), term('ok', false))],
  ])('%s', (condition, clause) => {
    expect(clauseOf(condition)).toEqual(clause)
  })

  it('is a script for one comparison alone, with the texts of the query apart from its own', () => {
    const scripted = clauseOf('n > 1 and concat(`it\'s`, "; return true;//") == name')
    expect(scripted).toEqual(
      all(
        { range: { n: { gt: 1 } } },
        all(exists("it's"), exists('name'), {
          script: { script: { source: expect.any(String), params: { p0: '; return true;//' } } },
        }),
      ),
    )
    expect(JSON.stringify(scripted)).toContain(String.raw`doc['it\\'s']`)
  })
})

describe('a plan', () => {
  it('asks for each filter once, with its category and join keys', () => {
    const plan = planOf(
      'sequence by name with maxspan=1s [process where ok] with runs=3 ![any where n == 1] until [any where n == 2]',
    )
    expect(plan).toMatchObject({
      kind: 'sequence',
      maxSpanMs: 1000,
      until: 2,
      stages: [
        { filter: 0, missing: false },
        { filter: 0, missing: false },
        { filter: 0, missing: false },
        { filter: 1, missing: true },
      ],
      filters: [
        {
          clause: all(exists('name'), all(term('event.category', 'process'), term('ok', true))),
          keys: [{ optional: false }],
        },
        { clause: all(exists('name'), term('n', 1)) },
        { clause: all(exists('name'), term('n', 2)) },
      ],
    })
  })

  it('names all that is wrong, in the order of its places', () => {
    expect(() => planOf('any where y == 1 and length(n) == 2 and\n x == 3')).toThrow(
      'Found 3 problems\nline 1:11: Unknown column [y]\nline 1:22: first argument of [length(n)] must be [string], found value [n] type [numeric]\nline 2:2: Unknown column [x]',
    )
  })
})

import { expect, test } from 'vitest'
import { parseQuery } from './parse-query.ts'

/** The text that a command or a name stands for. */
const cut = (text: string) => (place: { readonly from: number; readonly to: number }) =>
  text.slice(place.from, place.to)

test('commands and names stand where they were written, without what is around them', () => {
  const text = 'from logs-*, "other" /* both */ metadata _id , _index // here\n|  keep `a|b`, c* | where d == "|"'
  const { commands } = parseQuery(text)
  expect(commands.map(cut(text))).toEqual([
    'from logs-*, "other" /* both */ metadata _id , _index',
    'keep `a|b`, c*',
    'where d == "|"',
  ])
  const [from] = commands
  expect(from).toMatchObject({ command: 'from', indices: ['logs-*', 'other'] })
  expect(from?.command === 'from' && from.metadata.map(cut(text))).toEqual(['_id', '_index'])
})

test.each([
  ['from logs | wher a == 1', /^line 1:13: mismatched input 'wher'/],
  ['from logs\n| where a ==', /^line 2:13: /],
  ['from logs | where (a == 1', /^line 1:26: /],
  ['logs', /^line 1:1: mismatched input 'logs' expecting {'explain', 'from', 'row', 'show'}$/],
  ['from logs limit 1', /^line 1:11: mismatched input 'limit' expecting {<EOF>, '|', ',', '\[', 'metadata'}$/],
  ['from logs | where a > > 1', /^line 1:23: no viable alternative at input 'a > >'$/],
  ['from logs | where a in ()', /^line 1:25: mismatched input '\)' expecting {QUOTED_STRING, /],
  ['from logs | where foo(a in ())', /^line 1:29: no viable alternative at input 'foo\(a in \(\)'$/],
  ['from logs | where a is 1', /^line 1:24: mismatched input '1' expecting {'not', 'null'}$/],
  ['from logs | where a == 1)', /^line 1:25: extraneous input '\)' expecting <EOF>$/],
  ['from logs | sort a nulls', /^line 1:25: missing {'first', 'last'} at '<EOF>'$/],
  ['from logs | keep a-b', /^line 1:19: token recognition error at: '-'$/],
  ['from logs | drop *', /^line 1:18: Removing all fields is not allowed \[\*\]$/],
  ['from logs | rename a* as b', /^line 1:20: Using wildcards \[\*\] in RENAME is not allowed \[a\* as b\]$/],
  [
    'from logs | limit -1',
    /^line 1:13: value of \[limit -1\] must be a non negative integer, found value \[-1\] type \[integer\]$/,
  ],
  ['from logs | stats', /^line 1:13: At least one aggregation or grouping expression required in \[STATS\]$/],
  [
    'from logs | stats a = 1 where b',
    /^line 1:31: WHERE clause allowed only for aggregate functions \[a = 1 where b\]$/,
  ],
  ['from ""', /^line 1:6: Invalid index name \[\], Blank index specified in index pattern$/],
  ['from _all', /^line 1:6: Invalid index name \[_all\], must not start with '_', '-', or '\+'$/],
  ['from logs metadata _id, _id', /^line 1:25: metadata field \[_id\] already declared \[@1:20\]$/],
  ['from logs | completion "x"', /^line 1:13: COMPLETION is not supported$/],
  ['row a = "b\\x"', /^line 1:9: token recognition error at: '"b\\x'$/],
])('%s is refused with its place', (text, reason) => {
  expect(() => parseQuery(text)).toThrow(reason)
})

test('a star is a product where expressions stand, and a pattern where columns are listed', () => {
  const [, first, second] = parseQuery('row n = 1 | eval x=n*2 | keep n*, `a*`*, *').commands
  expect(first).toMatchObject({ fields: [{ name: 'x', of: { kind: 'arithmetic', op: '*' } }] })
  expect(second).toMatchObject({
    names: [
      { name: 'n*', isPattern: true },
      { name: 'a**', isPattern: true },
      { name: '*', isPattern: true },
    ],
  })
})

test('comments may lie in each other', () => {
  expect(parseQuery('row a = 1 /* b /* c */ d */ | limit 1').commands).toHaveLength(2)
})

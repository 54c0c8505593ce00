import { join, num, type Sql, sql, str } from '../../sql/sql.ts'
import { type Answer, defineFunction, type EsqlFunction, type FunctionParameter, textOf } from '../define-function.ts'
import { stringTypes, wholeTypes } from '../types.ts'
import { nullOf, refuse } from '../value.ts'
import { bound, bytesMax } from './one-type.ts'

const missing = nullOf('keyword')

const string: FunctionParameter = { name: 'string', types: stringTypes }
const whole: FunctionParameter = { name: 'number', types: wholeTypes, shown: 'integer' }

type Make = (...args: readonly Sql[]) => Sql

/** A function of single values whose answer has always the same type. */
function plain(name: string, type: Answer['type'], params: readonly FunctionParameter[], make: Make): EsqlFunction {
  return defineFunction({ name, params, compile: ({ sql: args }) => ({ type, sql: make(...args) }) })
}

const ofText = (name: string, make: (value: Sql) => Sql) =>
  plain(name, 'keyword', [string], (value = missing) => make(value))

/** The same, where of a null there is no type either. */
const ofItsText = (name: string, make: (value: Sql) => Sql): EsqlFunction => ({
  ...ofText(name, make),
  ofItsArgument: true,
})

/** A function that is applied to each value of a list. */
function ofEach(name: string, make: (value: Sql) => Sql): EsqlFunction {
  return defineFunction({
    name,
    params: [{ ...string, many: true }],
    compile: ({ sql: [value = missing], values: [of] }) =>
      of?.many
        ? { type: 'keyword', many: true, sql: sql`arrayMap(v -> ${make(sql`v`)}, ${value})` }
        : { type: 'keyword', sql: make(value) },
  })
}

/** White space as Java sees it, which is not all that RE2's `\s` is and more. */
const space = '[\\t-\\r\\x1c-\\x20\\x{1680}\\x{2000}-\\x{2006}\\x{2008}-\\x{200a}\\x{2028}\\x{2029}\\x{205f}\\x{3000}]+'

function stripped(name: string, pattern: string): EsqlFunction {
  return ofItsText(name, (value) => sql`replaceRegexpAll(${value}, ${str(pattern)}, '')`)
}

/** What a reader sees as one letter: with its accents, joined pictures, flags of two letters. */
const letter =
  '(?s)\\r\\n|[\\x{1F1E6}-\\x{1F1FF}]{2}|.[\\p{M}\\x{FE0E}\\x{FE0F}\\x{1F3FB}-\\x{1F3FF}]*(?:\\x{200D}[^\\r\\n][\\p{M}\\x{FE0E}\\x{FE0F}\\x{1F3FB}-\\x{1F3FF}]*)*'

const reverse = ofItsText('reverse', (value) =>
  bound(
    value,
    sql`v`,
    sql`if(isNull(v), NULL, arrayStringConcat(arrayReverse(extractAll(assumeNotNull(v), ${str(letter)}))))`,
  ),
)

const concat = plain('concat', 'keyword', [string, { ...string, name: 'string2', rest: true }], (...args) =>
  bound(sql`concat(${join(args, ', ')})`, sql`v`, sql`if(length(v) > ${num(bytesMax)}, NULL, v)`),
)

/** From 1; before the first letter is the first, and a negative place counts from the end. */
const substring = plain(
  'substring',
  'keyword',
  [string, { ...whole, name: 'start' }, { ...whole, name: 'length', optional: true }],
  (value = missing, start = sql`1`, length) => {
    const from = sql`multiIf(s > 0, s, s < 0, greatest(1, toInt64(lengthUTF8(v)) + s + 1), 1)`
    const cut = length
      ? sql`if(isNull(s) OR n < 0, NULL, substringUTF8(v, ${from}, n))`
      : sql`if(isNull(s), NULL, substringUTF8(v, ${from}))`
    const name = length ? sql`(v, s, n)` : sql`(v, s)`
    const more = length ? sql`, [${length}]` : sql``
    return sql`arrayMap(${name} -> ${cut}, [${value}], [${start}]${more})[1]`
  },
)

const left = plain('left', 'keyword', [string, { ...whole, name: 'length' }], (value = missing, length = sql`0`) =>
  bound(length, sql`n`, sql`if(isNull(n), NULL, leftUTF8(${value}, greatest(assumeNotNull(n), 0)))`),
)

const right = plain('right', 'keyword', [string, { ...whole, name: 'length' }], (value = missing, length = sql`0`) =>
  bound(length, sql`n`, sql`if(isNull(n), NULL, rightUTF8(${value}, greatest(assumeNotNull(n), 0)))`),
)

const locate = plain(
  'locate',
  'integer',
  [string, { ...string, name: 'substring' }, { ...whole, name: 'start', optional: true }],
  (value = missing, part = missing, start) =>
    start
      ? sql`toInt64(positionUTF8(${value}, ${part}, toUInt64(greatest(${start}, 1))) + if(isNull(${start}), NULL, 0))`
      : sql`toInt64(positionUTF8(${value}, ${part}))`,
)

/** A text several times; the engine repeats one a million times at most, and also where another branch is taken. */
function repeated(value: Sql, times: Sql): Sql {
  const isTooLong = sql`toInt128(t) * length(v) > ${num(bytesMax)}`
  const count = sql`if(${isTooLong}, -1, if(empty(v), least(t, 0), t))`
  const whole = sql`if(c < 0, NULL, concat(repeat(v, least(c, 1000000)), repeat(v, greatest(c - 1000000, 0))))`
  return sql`arrayMap((v, c) -> ${whole}, [${value}], arrayMap((v, t) -> ${count}, [ifNull(${value}, '')], [ifNull(${times}, -1)]))[1]`
}

const repeat = plain('repeat', 'keyword', [string, { ...whole, name: 'number' }], (value = missing, times = sql`0`) =>
  bound(value, sql`w`, repeated(sql`w`, times)),
)

const spaces = plain('space', 'keyword', [whole], (times = sql`0`) => repeated(sql`' '`, times))

const split = defineFunction({
  name: 'split',
  params: [string, { ...string, name: 'delim', constant: true }],
  compile({ sql: [value = missing], values: [, delimiter], text }) {
    const by = textOf(delimiter)
    // The engine would part the bytes of letters.
    if (delimiter && delimiter.literal !== null && by === '')
      refuse(delimiter, `delimiter of [${text}] must not be empty`)
    return {
      type: 'keyword',
      many: true,
      sql: bound(value, sql`v`, sql`if(isNull(v), [], splitByString(${str(by)}, assumeNotNull(v)))`),
    }
  },
})

const fromBase64 = ofText('from_base64', (value) =>
  bound(
    value,
    sql`v`,
    // The engine wants the `=` at the end, and answers nothing for what is no Base64.
    bound(
      sql`if(match(v, '^[A-Za-z0-9+/]*={0,2}$') AND length(v) % 4 != 1, nullIf(tryBase64Decode(rightPad(v, intDiv(length(v) + 3, 4) * 4, '=')), if(empty(v), '-', '')), NULL)`,
      sql`w`,
      // Bytes that are no text cannot be told.
      sql`if(isValidUTF8(w), w, NULL)`,
    ),
  ),
)

const urlDecode = ofText(
  'url_decode',
  (value) => sql`if(match(${value}, '%(?:$|.$|[^0-9A-Fa-f]|.[^0-9A-Fa-f])'), NULL, decodeURLFormComponent(${value}))`,
)

/** Functions of texts; places and lengths are counted in code points. */
export const stringFunctions: readonly EsqlFunction[] = [
  plain('bit_length', 'integer', [string], (value = missing) => sql`toInt64(length(${value}) * 8)`),
  plain('byte_length', 'integer', [string], (value = missing) => sql`toInt64(length(${value}))`),
  plain('length', 'integer', [string], (value = missing) => sql`toInt64(lengthUTF8(${value}))`),
  concat,
  plain(
    'contains',
    'boolean',
    [string, { ...string, name: 'substring' }],
    (value = missing, part = missing) => sql`(position(${value}, ${part}) > 0)`,
  ),
  plain(
    'starts_with',
    'boolean',
    [string, { ...string, name: 'prefix' }],
    (value = missing, part = missing) => sql`(startsWith(${value}, ${part}) = 1)`,
  ),
  plain(
    'ends_with',
    'boolean',
    [string, { ...string, name: 'suffix' }],
    (value = missing, part = missing) => sql`(endsWith(${value}, ${part}) = 1)`,
  ),
  left,
  right,
  substring,
  locate,
  repeat,
  spaces,
  split,
  reverse,
  stripped('trim', `^${space}|${space}$`),
  stripped('ltrim', `^${space}`),
  stripped('rtrim', `${space}$`),
  ofEach('to_lower', (value) => sql`lowerUTF8(${value})`),
  ofEach('to_upper', (value) => sql`upperUTF8(${value})`),
  ofText('to_base64', (value) => sql`base64Encode(${value})`),
  fromBase64,
  ofText('url_encode', (value) => sql`encodeURLFormComponent(${value})`),
  ofText('url_encode_component', (value) => sql`encodeURLComponent(${value})`),
  urlDecode,
]

/** Random documents and scripts over them, for tests that hold SQL to what the interpreter says. */
import fc from 'fast-check'
import type { Mapping } from '../../model/mapping.ts'

/** One field of each type that scripts read. */
export const scriptedMapping: Mapping = {
  properties: {
    n: { type: 'long' },
    i: { type: 'integer', coerce: true, ignore_malformed: true },
    d: { type: 'double' },
    f: { type: 'float' },
    scaled: { type: 'scaled_float', scaling_factor: 100 },
    u: { type: 'unsigned_long' },
    b: { type: 'boolean' },
    s: { type: 'keyword' },
    t: { type: 'keyword' },
    low: { type: 'keyword', normalizer: 'lowercase' },
    short: { type: 'keyword', ignore_above: 5 },
    text: { type: 'text', fields: { keyword: { type: 'keyword', ignore_above: 256 } } },
    when: { type: 'date' },
    epoch: { type: 'date', format: 'epoch_millis' },
    nano: { type: 'date_nanos' },
    other: { type: 'alias', path: 'n' },
    never: { type: 'long' },
    obj: { properties: { deep: { type: 'long' } } },
  },
}

const wholes = fc.oneof(
  fc.constantFrom(0, 1, -1, 2, 7, 10, 100, 1023, 1024, -5, 2_147_483_647, -2_147_483_648, 2 ** 53 - 1, -(2 ** 40)),
  fc.integer(),
)
const decimals = fc.oneof(
  fc.constantFrom(
    0,
    -0,
    0.5,
    -0.5,
    1.5,
    2.5,
    0.1,
    1e-7,
    1e7,
    12345.678,
    1e15,
    1e300,
    -1e300,
    5e-324,
    0.001,
    9_999_999.5,
  ),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.integer({ min: -1000, max: 1000 }),
)
const words = fc.constantFrom(
  '',
  'a',
  'web-1',
  'Web-1',
  'WEB',
  '/var/log/messages',
  'error: disk full',
  ' padded ',
  '\t tab\n',
  'é',
  'Straße',
  'İstanbul',
  '😀 smile',
  '\uffff\ue000',
  '\ud83d',
  'x\udc00y',
  '\ufffd',
  '42',
  '-7',
  '3.5',
  '007',
  '1e3',
  'true',
  "it's",
  'back\\slash',
  'a,b,,c',
  'nul\0l',
)
const moments = fc.oneof(
  fc.constantFrom(0, -1, 1, 951_782_400_000, 1_764_147_845_123, -62_135_596_800_000, 253_402_300_799_999),
  fc.integer({ min: -3_000_000_000_000, max: 12_000_000_000_000 }),
)

const some = <T>(value: fc.Arbitrary<T>) =>
  fc.oneof(
    { weight: 5, arbitrary: value },
    { weight: 2, arbitrary: fc.constant(undefined) },
    { weight: 1, arbitrary: fc.constant(null) },
    { weight: 1, arbitrary: fc.array(value, { maxLength: 4 }) },
    {
      weight: 1,
      arbitrary: fc.array(value, { minLength: 1, maxLength: 2 }).map((few) => [...few, ...few.slice(0, 1)]),
    },
  )

/** A document of that mapping. */
export const documents = fc.record({
  n: some(
    fc.oneof(wholes, fc.constantFrom('9223372036854775807', '-9223372036854775808', '4611686018427387904', '12.7')),
  ),
  i: some(fc.oneof(fc.integer(), fc.constantFrom(5.9, 'x', '8'))),
  d: some(decimals),
  f: some(
    fc.oneof(
      decimals.filter((each) => Math.abs(each) < 1e30),
      fc.constantFrom(0.1),
    ),
  ),
  scaled: some(fc.double({ min: -1e6, max: 1e6, noNaN: true })),
  u: some(fc.constantFrom(0, 7, '18446744073709551615', '9223372036854775808', 2 ** 40)),
  b: some(fc.constantFrom(true, false, 'true', '')),
  s: some(words),
  t: some(words),
  low: some(words),
  short: some(words),
  text: some(words),
  when: some(moments.map((ms) => (Math.abs(ms) < 8.64e15 ? new Date(ms).toISOString() : ms))).map((value) =>
    JSON.parse(JSON.stringify(value ?? null).replace(/[+-]\d\d(\d{4}-)/gu, '$1')),
  ),
  epoch: some(moments),
  nano: some(
    fc.constantFrom('2026-11-21T10:00:00.123456789Z', '1970-01-01T00:00:00.000000001Z', '2262-04-11T00:00:00Z'),
  ),
  obj: fc.oneof(fc.constant({}), fc.array(fc.record({ deep: wholes }), { maxLength: 3 })),
})

/** Expressions of scripts by the type that they mostly have, one a line; what stands in `<…>` is another of that kind. */
const templates = {
  number: `
0
1
-1
2
1024
2147483647
-2147483648
9223372036854775807L
1.5
0.0
-0.0
1024.0
1e300
params.k
params.big
params.half
Integer.MAX_VALUE
Math.pow(1024, 2)
doc['<path>'].value
doc['<path>'].value
doc['<path>'].value
doc['<any>'].size()
doc['<any>'].length
doc['<path>'][<place>]
field('<path>').get(<number>)
$('<path>', <number>)
(<number> <arithmetic> <number>)
(<number> <arithmetic> <number>)
(<number> <arithmetic> <number>)
(doc['<any>'].size() * 2147483647 + <number>)
(doc['<any>'].length - 2147483647 - <number>)
(-<number>)
(<truth> ? <number> : <number>)
(<truth> ? <number> : null)
((<numeric>) <number>)
Math.<ofOne>(<number>)
Math.<ofTwo>(<number>, <number>)
<text>.length()
<text>.<search>(<part>)
<text>.splitOnToken(<part>).length
<moment><getter>
<parse>(<text>)
<number>.<cast>()
(<number> ?: <number>)`,
  text: `
<part>
params.name
''
doc['<textPath>'].value
doc['<textPath>'].value
doc['<textPath>'].value
doc['<textPath>'][<place>]
field('<textPath>').get(<text>)
(<text> + <text>)
(<text> + <number>)
(<truth> + <text>)
<text>.<change>()
<text>.substring(<number>)
<text>.substring(<number>, <number>)
<text>.substring(<text>.lastIndexOf('/') + 1)
<text>.replace(<part>, <part>)
<text>.splitOnToken(<part>)[<place>]
<text>.splitOnToken(<part>)[-1]
<text>.concat(<text>)
(<truth> ? <text> : <text>)
(<truth> ? <text> : null)
String.valueOf(<number>)
String.valueOf(<truth>)
<moment>.dayOfWeekEnum.toString()
<moment>.getMonth().getDisplayName(TextStyle.SHORT, Locale.ROOT)
<moment>.dayOfWeekEnum.getDisplayName(TextStyle.FULL, Locale.ROOT)`,
  truth: `
true
false
params.yes
doc['b'].value
doc['<any>'].empty
doc['<any>'].isEmpty()
doc['<any>'].size() == 0
doc['<any>'].size() != 0
doc['<any>'].size() > 1
doc.containsKey('<any>')
(<number> <comparison> <number>)
(<number> <comparison> <number>)
(<text> == <text>)
(<text> != <text>)
(<number> == null)
(<text> != null)
(<truth> && <truth>)
(<truth> || <truth>)
(<truth> == <truth>)
!<truth>
<text>.<test>(<text>)
<text>.<test>(<part>)
<text>.isEmpty()
params.list.contains(<text>)
doc['<textPath>'].contains(<text>)
<moment>.<order>(<moment>)`,
  moment: `
doc['<datePath>'].value
doc['<datePath>'].value
doc['<datePath>'].value.toInstant()
doc['<datePath>'].value.plusMinutes(90)`,
}

type TypedKind = keyof typeof templates

/** What stands for the smaller pieces, one of the words each. */
const pieces: Readonly<Record<string, string>> = {
  path: 'n i d f scaled u never obj.deep other',
  textPath: 's t low short text.keyword',
  datePath: 'when when epoch nano',
  any: 'n i d u never s t low short text.keyword b when epoch nano nope',
  place: '0 1 2',
  part: "'a' '-' '/' 'e' '' 'WEB' 'web-1' 'é' ',' 'none' '😀'",
  arithmetic: '+ - * / %',
  comparison: '< <= > >= == != ===',
  numeric: 'int long double',
  ofOne: 'abs floor ceil sqrt round toRadians',
  ofTwo: 'max min',
  search: 'indexOf lastIndexOf',
  change: 'toLowerCase toUpperCase trim toString',
  cast: 'intValue longValue doubleValue',
  parse: 'Integer.parseInt Long.parseLong Double.parseDouble',
  test: 'contains startsWith endsWith equals equalsIgnoreCase',
  order: 'isBefore isAfter isEqual',
  getter:
    '.getHour() .hour .minute .getSecond() .year .monthValue .dayOfMonth .getDayOfYear() .dayOfWeek .dayOfWeekEnum.value .getMonth().getValue() .millis .toInstant().toEpochMilli() .getEpochSecond() .plusHours(5).getHour() .minusDays(40).getMonthValue()',
}

/** A template's own text with others in place of what stands in `<…>`. */
function filled(template: string, named: (name: string) => fc.Arbitrary<string>): fc.Arbitrary<string> {
  const parts = template.split(/<([A-Za-z]+)>/u)
  return fc
    .tuple(...parts.map((part, at) => (at % 2 === 0 ? fc.constant(part) : named(part))))
    .map((texts) => texts.join(''))
}

const oneWord = (text: string) => fc.constantFrom(...text.split(' '))

const { number, text, truth, moment } = fc.letrec<Record<TypedKind, string>>((tie) => {
  const named = (name: string) => {
    const words = pieces[name]
    return words === undefined ? tie(name as TypedKind) : oneWord(words)
  }
  const kind = (name: TypedKind) => {
    const forms = templates[name].trim().split('\n')
    const plain = forms.filter((form) => !/<(?:number|text|truth|moment)>/u.test(form))
    const deeper = forms.filter((form) => !plain.includes(form)).map((form) => filled(form, named))
    // What is left where it gets too deep.
    const leaf = fc.oneof(...plain.map((form) => filled(form, named)))
    return fc.oneof({ maxDepth: 4 }, leaf, ...deeper)
  }
  return { number: kind('number'), text: kind('text'), truth: kind('truth'), moment: kind('moment') }
})

/** The parameters of those scripts. */
export const scriptParams = {
  k: 3,
  big: 2 ** 40,
  half: 0.5,
  name: 'web-1',
  yes: true,
  list: ['a', 'web-1', '42', 'é'],
}

/** A field that a script computes: its type, and what it does with what an expression gives. */
export interface RandomScript {
  readonly type: 'long' | 'double' | 'keyword' | 'boolean' | 'date'
  readonly use: 'emitted' | 'bears' | 'returned' | 'values' | 'factor' | 'score'
  readonly source: string
}

const lists = fc
  .constantFrom('n', 'd', 's', 't', 'u', 'b', 'when', 'nano', 'never', 'nope')
  .chain((path) => fc.constantFrom(`doc['${path}']`, `doc['${path}'].values`))

const anyExpression = fc.oneof(number, text, truth, moment)

/** Statements around values; `give` is `emit(…)` or `return …`, `end` what ends the script after it. */
function bodies(give: (value: string) => string, end: string, value: fc.Arbitrary<string>): fc.Arbitrary<string> {
  const forms: fc.Arbitrary<string>[] = [
    value.map((one) => `${give(one)};`),
    fc.tuple(truth, value, value).map(([test, one, two]) => `if (${test}) { ${give(one)}; ${end} } ${give(two)};`),
    fc.tuple(truth, value).map(([test, one]) => `if (${test}) { ${give(one)}; }`),
    fc.tuple(truth, value, value).map(([test, one, two]) => `if (${test}) ${give(one)}; else { ${give(two)}; }`),
    fc
      .tuple(truth, value, truth, value, value)
      .map(
        ([test, one, second, two, three]) =>
          `if (${test}) { ${give(one)}; ${end} } else if (${second}) { ${give(two)}; } else { ${give(three)}; }`,
      ),
    fc.tuple(anyExpression, number).map(([one, two]) => `def x = ${one}; def y = ${two}; ${give('x')};`),
    fc
      .tuple(number, truth, number)
      .map(([one, test, two]) => `def x = ${one}; if (${test}) { x = ${two}; } ${give('x')};`),
    fc
      .tuple(fc.constantFrom('long', 'double', 'int', 'def'), number, fc.constantFrom('+=', '*=', '-=', '/='), number)
      .map(([type, one, operator, two]) => `${type} x = ${one}; x ${operator} ${two}; x++; ${give('x')};`),
    fc.tuple(text, value).map(([one, two]) => `String s = ${one}; if (s.isEmpty()) { return; } ${give(two)};`),
  ]
  return fc.oneof(...forms)
}

const typed = {
  long: number,
  double: number,
  date: fc.oneof(number, moment),
  keyword: fc.oneof(text, number, truth),
  boolean: truth,
}

/** A random script of a random field. */
export const randomScripts: fc.Arbitrary<RandomScript> = fc
  .constantFrom<RandomScript['type']>('long', 'double', 'keyword', 'boolean', 'date')
  .chain((type) => {
    const value = typed[type]
    const emitting = bodies((given) => `emit(${given})`, 'return;', value)
    const several = fc
      .tuple(emitting, emitting)
      .map(
        ([one, two]) =>
          `${one.replaceAll(/\bdef [xy]\b|\bString s\b/gu, (name) => name.replace(/ (\w)/u, ' $1$1'))} ${two}`,
      )
    const returning = bodies((given) => `return ${given}`, '', value)
    return fc.oneof(
      fc.record({
        type: fc.constant(type),
        use: fc.constantFrom<RandomScript['use']>('emitted', 'emitted', 'bears'),
        source: fc.oneof(emitting, emitting, several),
      }),
      fc.record({
        type: fc.constant(type),
        use: fc.constantFrom<RandomScript['use']>('returned', 'values', 'factor', 'score'),
        source: fc.oneof(value, returning),
      }),
      fc.record({ type: fc.constant(type), use: fc.constant<RandomScript['use']>('values'), source: lists }),
    )
  })

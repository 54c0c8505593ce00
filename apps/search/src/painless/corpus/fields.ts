import { type Fault, fails, refused } from './case.ts'

/** What a script over a document gives: of a field script as JSON has it (`1.0` is text of a double), of a runtime field its values. */
type FieldCase = readonly [script: string, expected: string | Fault, params?: Readonly<Record<string, unknown>>]

const missing =
  "A document doesn't have a value for a field! Use doc[<field>].size()==0 to check if a document is missing a field!"

/** `script_fields`: what is returned, as JSON. The document is that of `corpus-contexts.test.ts`. */
export const scriptFields: readonly FieldCase[] = [
  ["doc['bytes'].value", '2048'],
  ["doc['bytes'].value / 1000", '2'],
  ["doc['bytes'].value / 1000.0", '2.048'],
  ["doc['load'].value", '3.0'],
  ["doc['load'].value / 2", '1.5'],
  ["doc['load'].value * 2", '6.0'],
  ["def l = doc['load'].value; l / 2", '1.5'],
  ["doc['bytes'].value * 2147483648L", '4398046511104'],
  ["doc['bytes'].value * 2147483647", '4398046509056'],
  ["doc['host'].value", '"db"'],
  ["doc['host'].values", '["db","web"]'],
  ["doc['host'].size()", '2'],
  ["doc['host'][1]", '"web"'],
  ["doc['host'].contains('web')", 'true'],
  ["doc['bytes'].contains(2048L)", 'true'],
  ["doc.bytes.value + doc['bytes'].size()", '2049'],
  ["doc['flag'].value ? 'on' : 'off'", '"on"'],
  ["doc['empty'].size() == 0 ? 'none' : doc['empty'].value", '"none"'],
  ["doc['empty'].empty", 'true'],
  ["doc['empty'].value", fails('illegal_state_exception', missing)],
  ["doc['nowhere'].value", fails('illegal_argument_exception', 'No field found for [nowhere] in mapping')],
  ["doc.containsKey('nowhere')", 'false'],
  ["doc['@timestamp'].value.getYear()", '2024'],
  ["doc['@timestamp'].value.hour", '13'],
  ["doc['@timestamp'].value.toInstant().toEpochMilli()", '1709211906789'],
  ["doc['@timestamp'].value.millis / 1000", '1709211906'],
  ["doc['@timestamp'].value", '"2024-02-29T13:05:06.789Z"'],
  ["doc['ip'].value", '"192.168.1.5"'],
  ["doc['host'].stream().map(h -> h.length()).collect(Collectors.toList())", '[2,3]'],
  ["int n = 0; for (h in doc['host']) { n += h.length() } n", '5'],
  ["params['_source'].nested.deep", '"x"'],
  ['params._source.bytes + params.n', '2051', { n: 3 }],
  ["field('bytes').get(0)", '2048'],
  ["field('nowhere').get('-')", '"-"'],
  ["$('load', 0.0) / 2", '1.5'],
  ["grok('%{IP:ip} %{WORD:verb}').extract('10.0.0.1 GET').verb", '"GET"'],
  ["['b': 1, 'a': 2.0]", '{"a":2.0,"b":1}'],
  ['[1, 1L, 1.0, 1.0f]', '[1,1,1.0,1.0]'],
  ['1e7', '1.0E7'],
  ['int i = doc["bytes"].value; i', fails('class_cast_exception', 'cannot implicitly cast def [long] to int')],
  ['(int)doc["bytes"].value', '2048'],
  ['emit(1)', 'null'],
  ['nothing', refused('cannot resolve symbol [nothing]', 0)],
  ['saturation(1, 2)', refused('Unknown call [saturation] with [2] arguments.', 0)],
]

/** `script` queries: whether the document is found. */
export const filters: readonly (readonly [script: string, holds: boolean | Fault])[] = [
  ["doc['bytes'].value > 1024", true],
  ["doc['bytes'].value > 4096", false],
  ["doc['host'].contains('web') && doc['load'].value == 3", true],
  ["doc['empty'].size() > 0 && doc['empty'].value > 1", false],
  ["doc['@timestamp'].value.dayOfWeekEnum == DayOfWeek.THURSDAY", true],
  ["doc['@timestamp'].value.isAfter(ZonedDateTime.parse('2024-01-01T00:00:00Z'))", true],
  ["if (doc['flag'].value) { return true } return false", true],
  ["doc['nowhere'].value > 1", fails('illegal_argument_exception', 'No field found for [nowhere] in mapping')],
  ["doc['bytes'].value >", { stage: 'compile', type: 'illegal_argument_exception' }],
]

/** `script_score` and `_script` sorts: a number. */
export const scores: readonly (readonly [script: string, value: number | Fault])[] = [
  ['_score * 2', 3],
  ['_score / 2', 0.75],
  ["Math.log(2 + doc['bytes'].value)", Math.log(2050)],
  ["doc['load'].value / 2 + _score", 3],
  ["doc['bytes'].value / 1000", 2],
  ["doc['host'].length", 2],
  ["doc['empty'].size() == 0 ? 0 : 1", 0],
  ["doc['bytes'].value * params.factor", 2048 * 1.5],
  ["_score + 'x'.length()", 2.5],
  ["doc['empty'].value", fails('illegal_state_exception', missing)],
]

/** `script_score` alone: what only scores have, to six places. */
export const ranked: readonly (readonly [script: string, value: number | Fault])[] = [
  ["saturation(doc['bytes'].value, 2048)", 0.5],
  ['saturation(_score, 0.5)', 0.75],
  ["sigmoid(doc['load'].value, 1, 2)", 0.9],
  ["decayNumericLinear(1, 4, 0, 0.5, doc['load'].value)", 0.75],
  ["decayNumericLinear(1, 4, 1, 0.5, doc['load'].value)", 0.875],
  ["decayNumericLinear(100, 4, 0, 0.5, doc['load'].value)", 0],
  ["decayNumericExp(1, 2, 0, 0.25, doc['load'].value)", 0.25],
  ["decayNumericExp(1, 4, 0, 0.25, doc['load'].value)", 0.5],
  ["decayNumericGauss(1, 4, 0, 0.0625, doc['load'].value)", 0.5],
  ["decayNumericGauss(params.factor, 1, 2, 0.5, doc['load'].value)", 1],
  ["decayDateLinear('2024-03-01', '4d', '0', 0.5, doc['@timestamp'].value)", 0.943152],
  ["decayDateExp('2024-02-28T13:05:06.789Z', '1d', '0', 0.5, doc['@timestamp'].value)", 0.5],
  ["decayDateGauss('1709125506789', '2d', '1d', 0.5, doc['@timestamp'].value)", 1],
  ["decayDateGauss('2024-02-27T13:05:06.789Z||/m', '1d', '1d', 0.5, doc['@timestamp'].value)", 0.499946],
  ["decayGeoLinear('52.52,13.405', '10km', '0km', 0.5, doc['at'].value)", 1],
  ["decayGeoExp('48.8566,2.3522', '877.465km', '0', 0.5, doc['at'].value)", 0.5],
  ["decayGeoGauss('48.8566,2.3522', '777.465km', '100km', 0.5, doc['at'].value)", 0.5],
  ["double f(double v) { return v * 2 } return f(doc['load'].value)", 6],
  ["randomScore(100) == randomScore(100, '_seq_no') ? 1 : 0", 1],
  ['randomScore(100) == randomScore(101) ? 1 : 0', 0],
  ["def r = randomScore(7, 'host'); r >= 0 && r < 1 ? 1 : 0", 1],
  ["if (doc['empty'].size() > 0) { return 1 }", 0],
  ["doc['host'].length", 2],
  ['saturation(1)', refused('Unknown call [saturation] with [1] arguments.')],
  [
    "saturation('a', 1)",
    { stage: 'compile', type: 'class_cast_exception', reason: 'Cannot cast from [java.lang.String] to [double].' },
  ],
  [
    'randomScore(1.5)',
    { stage: 'compile', type: 'class_cast_exception', reason: 'Cannot cast from [double] to [int].' },
  ],
  ["randomScore(1, 'empty')", fails('illegal_state_exception', missing)],
  ["saturation(doc['host'].value, 1)", fails('class_cast_exception')],
  [
    "decayDateExp('now', '1d', '0', 0.5, doc['@timestamp'].value)",
    fails('parse_exception', 'could not read the current timestamp'),
  ],
  [
    "decayDateExp('2024-01-01', 'soon', '0', 0.5, doc['@timestamp'].value)",
    fails(
      'illegal_argument_exception',
      'failed to parse setting [DecayDateExp.scale] with value [soon] as a time value: unit is missing or unrecognized',
    ),
  ],
  ["decayGeoExp('1,1', '1km', '0', 0.5, doc['load'].value)", fails('class_cast_exception')],
  [
    "'text'",
    { stage: 'compile', type: 'class_cast_exception', reason: 'Cannot cast from [java.lang.String] to [double].' },
  ],
  ["doc['host'].value", fails('class_cast_exception')],
]

/** Runtime fields: type, script, values. */
export const runtimeFields: readonly (readonly [type: string, script: string, values: readonly unknown[] | Fault])[] = [
  ['long', "emit(doc['bytes'].value * 2)", [4096]],
  ['long', 'emit(7 / 2); emit(5L)', [3, 5]],
  ['double', "emit(doc['bytes'].value / 1000.0)", [2.048]],
  ['double', 'emit(1)', [1]],
  ['keyword', "emit(doc['host'].value + ':' + doc['bytes'].value)", ['db:2048']],
  ['keyword', "for (h in doc['host']) { emit(h.toUpperCase()) }", ['DB', 'WEB']],
  ['keyword', "emit('' + doc['load'].value)", ['3.0']],
  ['boolean', "emit(doc['bytes'].value > 1)", [true]],
  ['date', "emit(doc['@timestamp'].value.toInstant().toEpochMilli() + 1000L)", [1_709_211_907_789]],
  ['keyword', "if (doc['empty'].size() > 0) { emit('x') }", []],
  [
    'keyword',
    "String v = grok('%{WORD:verb} .*').extract(params._source.message)?.verb; if (v != null) emit(v)",
    ['GET'],
  ],
  ['long', "emit(Long.parseLong('x'))", fails('number_format_exception', 'For input string: "x"')],
]

/** Scripts of aggregations over a field's values (`_value`) or the whole document. */
export const aggregated: readonly (readonly [
  over: string | undefined,
  script: string,
  values: readonly unknown[] | Fault,
])[] = [
  ['bytes', '_value / 1000', [2]],
  ['bytes', '_value * 1.5', [3072]],
  ['load', '_value / 2', [1.5]],
  ['host', "_value + '!'", ['db!', 'web!']],
  ['host', '_value.length()', ['2', '3']],
  ['empty', '_value + 1', []],
  [undefined, "doc['bytes'].value % 10", ['8']],
  [undefined, "doc['load'].value", ['3.0']],
  [undefined, "doc['host'].values", ['db', 'web']],
  [undefined, "doc['nowhere'].value", fails('illegal_argument_exception')],
]

/** `bucket_script`, `bucket_selector` and `moving_fn`: numbers of buckets, which are doubles. */
export const buckets: readonly (readonly [
  script: string,
  given: Readonly<Record<string, number>> | readonly number[],
  expected: unknown,
  params?: Readonly<Record<string, unknown>>,
])[] = [
  ['params.a / params.b', { a: 1, b: 4 }, 0.25],
  ['params.a / params.b * 100', { a: 1, b: 3 }, 33.33333333333333],
  ['params.a / params.b', { a: 1, b: 0 }, Number.POSITIVE_INFINITY],
  ['params.a + params.more', { a: 1.5 }, 3.5, { more: 2 }],
  ['params.n / 2', {}, 3, { n: 7 }],
  ['params.a / 2', { a: 7 }, 3.5],
  ['Math.round(params.a)', { a: 2.5 }, 3],
  ['params._value > 10', { _value: 11 }, true],
  ['params.a > params.b', { a: 1, b: 2 }, false],
  ['params.a == 2', { a: 2 }, true],
  ['params.a / 0', { a: 1 }, Number.POSITIVE_INFINITY],
  ['params.gone > 1', {}, fails('null_pointer_exception')],
  ['params.a +', { a: 1 }, { stage: 'compile', type: 'illegal_argument_exception' }],
  ['MovingFunctions.max(values)', [1, 3, 2], 3],
  ['MovingFunctions.min(values)', [1, 3, 2], 1],
  ['MovingFunctions.sum(values)', [1, 2], 3],
  ['MovingFunctions.sum(values) / 2', [1, 2], 1.5],
  ['MovingFunctions.unweightedAvg(values)', [1, 2], 1.5],
  ['MovingFunctions.linearWeightedAvg(values)', [1, 2], 5 / 3],
  ['MovingFunctions.stdDev(values, MovingFunctions.unweightedAvg(values))', [1, 3], 1],
  ['MovingFunctions.ewma(values, 0.5)', [1, 2], 1.5],
  ['values.length > 0 ? values[0] / 2 : Double.NaN', [3, 1], 1.5],
  ['values.length', [], 0],
  ['MovingFunctions.max(values)', [], Number.NaN],
]

/** `intervals` filters over an interval from 2 to 6 with 1 gap. */
export const intervals: readonly (readonly [script: string, kept: boolean | Fault])[] = [
  ['interval.start > 1', true],
  ['interval.end - interval.start > 4', false],
  ['interval.gaps == 1', true],
  ['interval.getStart() == 2 && interval.getEnd() == 6', true],
  ['interval.length', fails('illegal_argument_exception')],
]

/** Scripts of token filters over the words `a big cat`. */
export const tokens: readonly (readonly [script: string, kept: readonly boolean[] | Fault])[] = [
  ['token.getTerm().length() > 1', [false, true, true]],
  ['token.position == 1', [false, true, false]],
  ['token.startOffset >= 2', [false, true, true]],
  ["token.term.startsWith('c')", [false, false, true]],
  ['token.positionIncrement == 1', [true, true, true]],
  ['token.gone', fails('illegal_argument_exception')],
]

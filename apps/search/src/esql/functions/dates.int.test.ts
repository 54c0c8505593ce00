import { describe, expect, it } from 'vitest'
import { openedEsql } from '../opened-esql.fixture.ts'

const nowMs = Date.parse('2026-03-04T05:06:07.089Z')

const { rows, types } = openedEsql(
  {
    properties: {
      id: { type: 'integer' },
      at: { type: 'date' },
      fine: { type: 'date_nanos' },
      text: { type: 'keyword' },
    },
  },
  [
    {
      id: 1,
      at: '2024-02-29T13:14:15.167Z',
      fine: '2024-02-29T13:14:15.123456789Z',
      text: '2024-02-29T23:59:59.5+02:00',
    },
    { id: 2, at: ['2020-01-01T00:00:00Z', '2021-01-01T00:00:00Z'], text: 'nonsense' },
    { id: 3 },
    { id: 4, at: '1969-12-31T23:59:59.999Z', fine: '1970-01-01T00:00:00Z', text: ['2020', '2021-02'] },
    { id: 5, at: '9999-12-31T23:59:59.999Z', text: '2023-02-29' },
    { id: 6, at: '0001-01-01T00:00:00Z' },
  ],
  { nowMs: nowMs },
)

const one = async (expression: string) => (await rows(`ROW x = ${expression}`))[0]?.[0]
const column = async (expression: string) =>
  (await rows(`FROM docs | EVAL x = ${expression} | SORT id | KEEP x`)).map(([value]) => value)

const truncatedColumns: readonly (readonly [string, unknown])[] = [
  [
    '1 hour',
    [
      '2024-02-29T13:00:00.000Z',
      null,
      null,
      '1969-12-31T23:00:00.000Z',
      '9999-12-31T23:00:00.000Z',
      '0001-01-01T00:00:00.000Z',
    ],
  ],
  [
    '5 minutes',
    [
      '2024-02-29T13:10:00.000Z',
      null,
      null,
      '1969-12-31T23:55:00.000Z',
      '9999-12-31T23:55:00.000Z',
      '0001-01-01T00:00:00.000Z',
    ],
  ],
  [
    '1 day',
    [
      '2024-02-29T00:00:00.000Z',
      null,
      null,
      '1969-12-31T00:00:00.000Z',
      '9999-12-31T00:00:00.000Z',
      '0001-01-01T00:00:00.000Z',
    ],
  ],
  [
    '1 week',
    [
      '2024-02-26T00:00:00.000Z',
      null,
      null,
      '1969-12-29T00:00:00.000Z',
      '9999-12-27T00:00:00.000Z',
      '0001-01-01T00:00:00.000Z',
    ],
  ],
  [
    '1 month',
    [
      '2024-02-01T00:00:00.000Z',
      null,
      null,
      '1969-12-01T00:00:00.000Z',
      '9999-12-01T00:00:00.000Z',
      '0001-01-01T00:00:00.000Z',
    ],
  ],
  [
    '1 quarter',
    [
      '2024-01-01T00:00:00.000Z',
      null,
      null,
      '1969-10-01T00:00:00.000Z',
      '9999-10-01T00:00:00.000Z',
      '0001-01-01T00:00:00.000Z',
    ],
  ],
  [
    '5 months',
    [
      '2023-12-01T00:00:00.000Z',
      null,
      null,
      '1969-10-01T00:00:00.000Z',
      '9999-10-01T00:00:00.000Z',
      '0001-01-01T00:00:00.000Z',
    ],
  ],
  [
    '1 year',
    [
      '2024-01-01T00:00:00.000Z',
      null,
      null,
      '1969-01-01T00:00:00.000Z',
      '9999-01-01T00:00:00.000Z',
      '0001-01-01T00:00:00.000Z',
    ],
  ],
  [
    '10 years',
    [
      '2021-01-01T00:00:00.000Z',
      null,
      null,
      '1961-01-01T00:00:00.000Z',
      '9991-01-01T00:00:00.000Z',
      '0001-01-01T00:00:00.000Z',
    ],
  ],
]

const truncatedNanos: readonly (readonly [string, unknown])[] = [
  ['DATE_TRUNC(1 second, fine)', '2024-02-29T13:14:15.000Z'],
  ['DATE_TRUNC(1 year, fine)', '2024-01-01T00:00:00.000Z'],
  ['DATE_TRUNC(1 month, fine)', '2024-02-01T00:00:00.000Z'],
]

const truncatedValues: readonly (readonly [string, unknown])[] = [
  ['DATE_TRUNC(1 day, "2024-05-06T07:08:09Z")', '2024-05-06T00:00:00.000Z'],
  ['DATE_TRUNC("2 hours", "2024-05-06T07:08:09Z"::datetime)', '2024-05-06T06:00:00.000Z'],
  ['DATE_TRUNC(1 day, null)', null],
  ['DATE_TRUNC(1 month, DATE_TRUNC(1 week, NOW()))', '2026-03-01T00:00:00.000Z'],
]

const notTruncated: readonly (readonly [string, unknown])[] = [
  ['DATE_TRUNC(0 days, NOW())', 'Zero or negative time interval is not supported'],
  [
    'DATE_TRUNC(1, NOW())',
    'first argument of [DATE_TRUNC(1, NOW())] must be [dateperiod or timeduration], found value [1] type [integer]',
  ],
  [
    'DATE_TRUNC(1 day, 5)',
    'second argument of [DATE_TRUNC(1 day, 5)] must be [datetime or date_nanos], found value [5] type [integer]',
  ],
  ['DATE_TRUNC(1 day, "soon")', 'Cannot convert string [soon] to [DATETIME]'],
]

const extracted: readonly (readonly [string, unknown])[] = [
  ['year', [2024, null, null, 1969, 9999, 1]],
  ['month_of_year', [2, null, null, 12, 12, 1]],
  ['day_of_month', [29, null, null, 31, 31, 1]],
  ['day_of_week', [4, null, null, 3, 5, 1]],
  ['day_of_year', [60, null, null, 365, 365, 1]],
  ['hour_of_day', [13, null, null, 23, 23, 0]],
  ['clock_hour_of_ampm', [1, null, null, 11, 11, 12]],
  ['clock_hour_of_day', [13, null, null, 23, 23, 24]],
  ['ampm_of_day', [1, null, null, 1, 1, 0]],
  ['minute_of_hour', [14, null, null, 59, 59, 0]],
  ['second_of_minute', [15, null, null, 59, 59, 0]],
  ['milli_of_second', [167, null, null, 999, 999, 0]],
  ['epoch_day', [19782, null, null, -1, 2932896, -719162]],
  ['instant_seconds', [1709212455, null, null, -1, 253402300799, -62135596800]],
  ['proleptic_month', [24289, null, null, 23639, 119999, 12]],
  ['aligned_week_of_month', [5, null, null, 5, 5, 1]],
  ['aligned_day_of_week_in_year', [4, null, null, 1, 1, 1]],
  ['offset_seconds', [0, null, null, 0, 0, 0]],
  ['year_of_era', [2024, null, null, 1969, 9999, 1]],
  ['era', [1, null, null, 1, 1, 1]],
  ['nano_of_day', [47655167000000, null, null, 86399999000000, 86399999000000, 0]],
]

const notExtracted: readonly (readonly [string, unknown])[] = [
  ['DATE_EXTRACT("nope", NOW())', 'invalid date field for [DATE_EXTRACT("nope", NOW())]: nope'],
  ['DATE_EXTRACT("year", true)', 'second argument of [DATE_EXTRACT("year", true)] must be'],
]

const differences: readonly (readonly [string, unknown])[] = [
  ['"microseconds", "2023-12-02T11:00:00.000Z"::datetime, "2023-12-02T11:00:00.001Z"::datetime', 1000],
  ['"year", "2023-12-31T23:59:59.999Z"::datetime, "2024-01-01T00:00:00Z"::datetime', 0],
  ['"yy", "2020-02-29"::datetime, "2024-02-28"::datetime', 3],
  ['"month", "2024-01-31T12:00:00Z"::datetime, "2024-02-29T11:00:00Z"::datetime', 0],
  ['"month", "2024-03-31"::datetime, "2024-01-31"::datetime', -2],
  ['"m", "2024-03-30"::datetime, "2024-01-31"::datetime', -1],
  ['"quarter", "2024-01-01"::datetime, "2024-12-31"::datetime', 3],
  ['"week", "2024-01-01"::datetime, "2024-01-15"::datetime', 2],
  ['"dd", "2024-01-02"::datetime, "2024-01-01T00:00:00.001Z"::datetime', 0],
  ['"weekday", "2024-01-01"::datetime, "2024-01-05"::datetime', 4],
  ['"hh", "2024-01-01"::datetime, "2024-01-02T01:59:00Z"::datetime', 25],
  ['"ms", "2024-01-01"::datetime, "2025-01-01"::datetime', null],
  ['"day", "0001-01-01"::datetime, "9999-12-31"::datetime', 3652058],
  ['"ns", "2024-01-01T00:00:00.000000001Z"::date_nanos, "2024-01-01"::datetime', -1],
  ['"day", null, NOW()', null],
]

const formattedColumns: readonly (readonly [string, unknown])[] = [
  [
    'DATE_FORMAT(at)',
    [
      '2024-02-29T13:14:15.167Z',
      null,
      null,
      '1969-12-31T23:59:59.999Z',
      '9999-12-31T23:59:59.999Z',
      '0001-01-01T00:00:00.000Z',
    ],
  ],
  ['DATE_FORMAT("yyyy-MM-dd", at)', ['2024-02-29', null, null, '1969-12-31', '9999-12-31', '0001-01-01']],
  [
    `DATE_FORMAT("EEE, d MMM yy 'at' h:mm a", at)`,
    [
      'Thu, 29 Feb 24 at 1:14 PM',
      null,
      null,
      'Wed, 31 Dec 69 at 11:59 PM',
      'Fri, 31 Dec 99 at 11:59 PM',
      'Mon, 1 Jan 01 at 12:00 AM',
    ],
  ],
  [
    `DATE_FORMAT("YYYY-'W'ww-e EEEE MMMM Q", at)`,
    [
      '2024-W09-5 Thursday February 1',
      null,
      null,
      '1970-W01-4 Wednesday December 4',
      '10000-W01-6 Friday December 4',
      '0001-W01-2 Monday January 1',
    ],
  ],
  [
    'DATE_FORMAT("HH:mm:ss.SSSSSSSSS X xx", fine)',
    ['13:14:15.123456789 Z +0000', null, null, '00:00:00.000000000 Z +0000', null, null],
  ],
  ['DATE_FORMAT(fine)', ['2024-02-29T13:14:15.123Z', null, null, '1970-01-01T00:00:00.000Z', null, null]],
  ['DAY_NAME(at)', ['Thursday', null, null, 'Wednesday', 'Friday', 'Monday']],
  ['MONTH_NAME(at)', ['February', null, null, 'December', 'December', 'January']],
  ['DATE_PARSE(text)', ['2024-02-29T21:59:59.500Z', null, null, null, null, null]],
  ['DATE_PARSE("yyyy-MM-dd", text)', [null, null, null, null, null, null]],
]

const formattedValues: readonly (readonly [string, unknown])[] = [
  ['DATE_PARSE("yyyy-MM-dd", "2022-05-06")', '2022-05-06T00:00:00.000Z'],
  ['DATE_PARSE("dd/MMM/yyyy:HH:mm:ss Z", "10/Oct/2000:13:55:36 -0700")', '2000-10-10T20:55:36.000Z'],
  ['DATE_PARSE("yyyy-MM-dd[ HH:mm]", "2022-05-06 07:08")', '2022-05-06T07:08:00.000Z'],
  ['DATE_PARSE("h:mm a", "12:30 AM")', '1970-01-01T00:30:00.000Z'],
  ['DATE_PARSE("yyyy-DDD", "2024-060")', '2024-02-29T00:00:00.000Z'],
  ['DATE_PARSE("yyyy-MM-dd", "2022-13-06")', null],
  ['DATE_PARSE("yyyy", "0001")', '0001-01-01T00:00:00.000Z'],
  ['DATE_PARSE("yyyy-MM-dd", null)', null],
  ['NOW()', '2026-03-04T05:06:07.089Z'],
  ['DATE_FORMAT("yyyy", "2024-01-01")', '2024'],
]

const notFormatted: readonly (readonly [string, unknown])[] = [
  ['DATE_FORMAT("yyyy{", NOW())', "Pattern includes reserved character: '{'"],
  ['DATE_FORMAT("b", NOW())', 'Invalid format: [b]: Unknown pattern letter: b'],
  ['DATE_PARSE("ww", "10")', 'Unknown or unsupported pattern letter: w'],
  ['DATE_FORMAT(TO_STRING(1), NOW())', 'must be a constant'],
  ['DATE_FORMAT(1, NOW())', 'must be'],
]

describe('date_trunc', () => {
  it.each(truncatedColumns)('of %s', async (span, expected) => {
    expect(await column(`DATE_TRUNC(${span}, at)`)).toEqual(expected)
  })

  it.each(truncatedNanos)('%s', async (expression, expected) => {
    expect(await column(expression)).toEqual([expected, null, null, '1970-01-01T00:00:00.000Z', null, null])
    expect(await types(`FROM docs | EVAL x = ${expression} | KEEP x`)).toEqual(['date_nanos'])
  })

  it.each(truncatedValues)('%s', async (expression, expected) => {
    expect(await one(expression)).toEqual(expected)
  })

  it.each(notTruncated)('refuses %s', async (expression, reason) => {
    await expect(one(expression)).rejects.toThrow(String(reason))
  })
})

describe('date_extract', () => {
  it.each(extracted)('of %s', async (part, expected) => {
    expect(await column(`DATE_EXTRACT("${part}", at)`)).toEqual(expected)
  })

  it('reads nanoseconds', async () => {
    expect(await column('DATE_EXTRACT("NANO_OF_SECOND", fine)')).toEqual([123456789, null, null, 0, null, null])
  })

  it.each(notExtracted)('refuses %s', async (expression, reason) => {
    await expect(one(expression)).rejects.toThrow(String(reason))
  })
})

describe('date_diff', () => {
  it.each(differences)('of %s', async (args, expected) => {
    expect(await one(`DATE_DIFF(${args})`)).toEqual(expected)
  })

  it('counts over columns', async () => {
    expect(await column('DATE_DIFF("day", at, "2024-03-01")')).toEqual([0, null, null, 19783, -2913113, 738945])
    expect(await column('DATE_DIFF("milliseconds", at, fine)')).toEqual([-43, null, null, 1, null, null])
  })

  it('refuses what is no unit', async () => {
    await expect(one('DATE_DIFF("eon", NOW(), NOW())')).rejects.toThrow('received [eon]')
  })
})

describe('date_format and date_parse', () => {
  it.each(formattedColumns)('%s', async (expression, expected) => {
    expect(await column(expression)).toEqual(expected)
  })

  it.each(formattedValues)('%s', async (expression, expected) => {
    expect(await one(expression)).toEqual(expected)
  })

  it.each(notFormatted)('refuses %s', async (expression, reason) => {
    await expect(one(expression)).rejects.toThrow(String(reason))
  })
})

import { describe, expect, it } from 'vitest'
import { answersOf } from '../run-esql.fixture.ts'

const { rows } = answersOf('dates')

const at = (text: string) => `TO_DATETIME("${text}")`

const ofMoments = [
  ['DATE_TRUNC(1 month, $)', '2024-02-29T13:37:42.123Z', '2024-02-01T00:00:00.000Z'],
  ['DATE_TRUNC(3 months, $)', '2024-05-31T13:37:42.123Z', '2024-04-01T00:00:00.000Z'],
  ['DATE_TRUNC(1 quarter, $)', '2024-12-31T13:37:42.123Z', '2024-10-01T00:00:00.000Z'],
  ['DATE_TRUNC(1 year, $)', '1969-12-31T23:59:59.999Z', '1969-01-01T00:00:00.000Z'],
  ['DATE_TRUNC(10 years, $)', '2026-05-05T00:00:00Z', '2021-01-01T00:00:00.000Z'],
  ['DATE_TRUNC(1 week, $)', '2026-11-26T21:00:00Z', '2026-11-23T00:00:00.000Z'],
  ['DATE_TRUNC(1 day, $)', '1969-12-31T23:59:59.999Z', '1969-12-31T00:00:00.000Z'],
  ['DATE_TRUNC(5 minutes, $)', '2026-11-26T21:04:59Z', '2026-11-26T21:00:00.000Z'],
  ['DATE_TRUNC("2 hours"::time_duration, $)', '2026-11-26T21:04:59Z', '2026-11-26T20:00:00.000Z'],
  ['DATE_EXTRACT("hour_of_day", $)', '1969-12-31T23:59:59.999Z', 23],
  ['DATE_EXTRACT("DAY_OF_WEEK", $)', '2026-11-26T00:00:00Z', 4],
  ['DATE_EXTRACT("day_of_year", $)', '2024-12-31T00:00:00Z', 366],
  ['DATE_EXTRACT("year", $)', '2024-12-31T00:00:00Z', 2024],
  ['DATE_EXTRACT("instant_seconds", $)', '1969-12-31T23:59:59.999Z', -1],
  ['DATE_EXTRACT("proleptic_month", $)', '2024-01-31T00:00:00Z', 24_288],
  ['DATE_DIFF("month", $, TO_DATETIME("2024-03-30T00:00:00Z"))', '2024-01-31T00:00:00Z', 1],
  ['DATE_DIFF("month", $, TO_DATETIME("2024-01-31T00:00:00Z"))', '2024-03-30T00:00:00Z', -1],
  ['DATE_DIFF("yy", $, TO_DATETIME("2026-05-05T00:00:00Z"))', '2024-05-06T00:00:00Z', 1],
  ['DATE_DIFF("hours", $, TO_DATETIME("2024-01-01T00:59:00Z"))', '2024-01-01T02:00:00Z', -1],
  ['DATE_DIFF("ns", $, TO_DATETIME("2026-05-05T00:00:00Z"))', '2024-05-06T00:00:00Z', null],
  ['DATE_FORMAT($)', '1969-12-31T23:59:59.999Z', '1969-12-31T23:59:59.999Z'],
  ['DATE_FORMAT("yyyy/MM/dd HH:mm", $)', '2026-01-02T03:04:05Z', '2026/01/02 03:04'],
  ['DATE_FORMAT("EEE, d MMM yy \'at\' h a", $)', '2026-11-26T00:04:05Z', 'Thu, 26 Nov 26 at 12 AM'],
  ['DAY_NAME($)', '2026-11-26T00:00:00Z', 'Thursday'],
  ['MONTH_NAME($)', '2026-11-26T00:00:00Z', 'November'],
  ['$ + 1 month', '2026-01-31T00:00:00Z', '2026-02-28T00:00:00.000Z'],
  ['BUCKET($, 1 hour)', '2026-01-31T12:34:56Z', '2026-01-31T12:00:00.000Z'],
  ['BUCKET($, 20, "2026-01-01", "2026-12-31")', '2026-03-31T12:34:56Z', '2026-03-01T00:00:00.000Z'],
  [
    'BUCKET($, 100, "2026-01-01T00:00:00Z", "2026-01-01T01:00:00Z")',
    '2026-01-01T00:31:31Z',
    '2026-01-01T00:31:00.000Z',
  ],
] as const

const alone = [
  ['DATE_PARSE("yyyy-MM-dd HH:mm:ss", "2026-01-02 03:04:05")', '2026-01-02T03:04:05.000Z'],
  ['DATE_PARSE("dd/MMM/yyyy:HH:mm:ss Z", "02/Jan/2026:03:04:05 +0100")', '2026-01-02T02:04:05.000Z'],
  ['DATE_PARSE("yyyy-MM-dd", "nonsense")', null],
  ['DATE_PARSE("2026-01-02")', '2026-01-02T00:00:00.000Z'],
  ['TO_DATETIME("2026-02-30")', null],
  ['TO_DATETIME("2026-01-02T03:04:05.123456789+02:00")', '2026-01-02T01:04:05.123Z'],
  ['TO_DATETIME("1969-12-31T23:59:59.9995Z")', '1969-12-31T23:59:59.999Z'],
  ['TO_DATE_NANOS("2026-01-02T03:04:05.123456789Z")', '2026-01-02T03:04:05.123456789Z'],
  ['TO_DATETIME(0)', '1970-01-01T00:00:00.000Z'],
  ['DATE_TRUNC(1 day, null)', null],
  ['DATE_EXTRACT("nano_of_second", TO_DATE_NANOS("2026-01-02T03:04:05.123456789Z"))', 123_456_789],
] as const

const refused = [
  [
    'DATE_TRUNC(1, NOW())',
    'first argument of [DATE_TRUNC(1, NOW())] must be [dateperiod or timeduration], found value [1] type [integer]',
  ],
  ['DATE_EXTRACT("era_of_love", NOW())', 'No enum constant java.time.temporal.ChronoField.ERA_OF_LOVE'],
  ['DATE_DIFF("fortnight", NOW(), NOW())', 'received [fortnight]'],
  ['DATE_FORMAT("yyyy-ww", NOW())', 'is not supported'],
  ['DATE_TRUNC(0 days, NOW())', 'Zero or negative time interval is not supported'],
  ['NOW(1)', 'error building [now]: expects exactly no arguments'],
] as const

describe('moments', () => {
  it.each(ofMoments)('%s of %s', async (expression, moment, expected) => {
    expect(await rows(`ROW x = ${expression.replace('$', at(moment))}`)).toEqual([[expected]])
  })

  it.each(alone)('%s', async (expression, expected) => {
    expect(await rows(`ROW x = ${expression}`)).toEqual([[expected]])
  })

  it.each(refused)('refuses %s', async (expression, reason) => {
    await expect(rows(`ROW x = ${expression}`)).rejects.toThrow(reason)
  })

  it('knows the time of the query', async () => {
    const [[now] = []] = await rows('ROW x = NOW()')
    expect(Math.abs(Date.parse(String(now)) - Date.now())).toBeLessThan(60_000)
  })
})

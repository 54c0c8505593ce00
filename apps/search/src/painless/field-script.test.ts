import { describe, expect, it } from 'vitest'
import { DateValue } from './date-value.ts'
import { Doc } from './doc-values.ts'
import { compileFieldScript } from './field-script.ts'
import { withoutTypes } from './settled-values.ts'
import { numberOf } from './typed-number.ts'

const fields: Readonly<Record<string, readonly unknown[]>> = {
  bytes: [numberOf('long', 2048)],
  load: [numberOf('double', 3)],
  host: ['web', 'db'],
  empty: [],
  '@timestamp': [new DateValue(Date.parse('2024-02-29T13:05:06.789Z'))],
  message: ['GET /a 200'],
}
const doc = new Doc((path) => fields[path])

function run(source: string, params: Record<string, unknown> = {}) {
  const { returned, emitted } = compileFieldScript({ source, params })({ doc, source: { a: { b: 1 } }, score: 1.5 })
  return { returned: withoutTypes(returned), emitted }
}
const value = (source: string, params?: Record<string, unknown>) => run(source, params).returned

describe('doc', () => {
  it('gives the first value, all, their number, and says which are missing', () => {
    expect(value("doc['bytes'].value")).toBe(2048)
    expect(value('doc.bytes.value + doc["bytes"].size()')).toBe(2049)
    expect(value("doc['host'].values")).toEqual(['web', 'db'])
    expect(value("doc['host'].get(1) + doc['host'][0] + doc['host'].length")).toBe('dbweb2')
    expect(value("doc['empty'].empty ? 'none' : 'some'")).toBe('none')
    expect(value("int n = 0; for (def h : doc['host']) { n += h.length() } return n")).toBe(5)
    expect(value("doc.containsKey('bytes') && !doc.containsKey('nowhere')")).toBe(true)
  })

  it('divides longs as longs and doubles as doubles', () => {
    expect(value("doc['bytes'].value / 1000")).toBe(2)
    expect(value("doc['load'].value / 2")).toBe(1.5)
    expect(value("def load = doc['load'].value; load / 2")).toBe(1.5)
    expect(value('_score * 2 / 4')).toBe(0.75)
  })

  it('says so when a document has no value or the mapping no field', () => {
    expect(() => value("doc['empty'].value")).toThrow('runtime error')
    expect(() => value("doc['nowhere'].value")).toThrow('runtime error')
  })

  it('has the field API with what to take instead of a missing value', () => {
    expect(value("field('nowhere').get('-') + field('bytes').get(0) + $('host', '')")).toBe('-2048web')
  })
})

describe('dates', () => {
  it('have getters of the clock in any zone', () => {
    expect(value("doc['@timestamp'].value.hour * 100 + doc['@timestamp'].value.getMinute()")).toBe(1305)
    expect(value("doc['@timestamp'].value.withZoneSameInstant(ZoneId.of('Asia/Tokyo')).hour")).toBe(22)
    expect(value("doc['@timestamp'].value.dayOfWeekEnum.toString()")).toBe('THURSDAY')
    expect(value("doc['@timestamp'].value.dayOfYear")).toBe(60)
    expect(value("doc['@timestamp'].value.toInstant().toEpochMilli()")).toBe(Date.parse('2024-02-29T13:05:06.789Z'))
    expect(value("doc['@timestamp'].value.toString()")).toBe('2024-02-29T13:05:06.789Z')
  })

  it('are shifted by their clock', () => {
    expect(value("doc['@timestamp'].value.plusYears(1).toString()")).toBe('2025-02-28T13:05:06.789Z')
    expect(value("doc['@timestamp'].value.minusHours(14).toString()")).toBe('2024-02-28T23:05:06.789Z')
    expect(value("ZonedDateTime d = doc['@timestamp'].value; d.isBefore(d.plusDays(1))")).toBe(true)
  })
})

describe('what is lent', () => {
  it('collects what is emitted, reads the source and the parameters', () => {
    expect(run("emit(1); if (params.more) { emit('two') }", { more: true }).emitted).toEqual([1, 'two'])
    expect(value("params['_source']['a']['b'] + params.n", { n: 2 })).toBe(3)
  })

  it.each([
    [
      "for (int i = 0; i < 101; i++) { emit('a') }",
      /\] is emitting \[101\] values while the maximum number of values allowed is \[100\]$/,
    ],
    [
      "String t = 'a'.repeat(1024); for (int i = 0; i < 11; i++) { t = t + t } emit(t)",
      /\] is emitting \[2097152\] characters while the maximum number of values allowed is \[1048576\]$/,
    ],
  ])('takes no more than a document may have of a field: %s', (source, message) => {
    expect(() => run(source)).toThrow(
      expect.objectContaining({ cause: expect.objectContaining({ message: expect.stringMatching(message) }) }),
    )
  })

  it.each([
    ["int n = 0; while (n >= 0) { grok('%{WORD:a} ' + n++) } return n"],
    ["String t = 'a'.repeat(900000); int n = 0; while (n >= 0) { grok('%{IP:a}x').extract(t); n++ } return n"],
  ])('counts what grok goes through as steps: %s', (source) => {
    expect(() => run(source)).toThrow(
      expect.objectContaining({ cause: expect.objectContaining({ code: 'painless_error' }) }),
    )
  })

  it('builds texts', () => {
    expect(
      value(
        "StringBuilder b = new StringBuilder('a'); for (def h : doc['host']) { b.append(' ').append(h) } b.toString()",
      ),
    ).toBe('a web db')
  })

  it('takes texts apart with grok', () => {
    const source = "emit(grok('%{WORD:verb} %{NOTSPACE:path} %{NUMBER:status}').extract(doc['message'].value)?.status)"
    expect(run(source).emitted).toEqual(['200'])
    expect(value("grok('%{IP:ip}').extract(doc['message'].value)?.ip")).toBe(null)
  })

  it('refuses functions and methods that are not lent', () => {
    expect(() => value('system("id")')).toThrow('compile error')
    expect(() => value("doc['bytes'].constructor")).toThrow('runtime error')
    expect(() => value('doc.getClass()')).toThrow('compile error')
  })
})

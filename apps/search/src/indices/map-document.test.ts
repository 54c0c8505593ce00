import { describe, expect, it } from 'vitest'
import type { IndexSettings } from '../model/index-meta.ts'
import type { MappedDocument } from './catalogue.ts'
import { mapDocument } from './map-document.ts'
import { parseMapping } from './mapping-parse.ts'

function map(mapping: unknown, source: unknown, settings: IndexSettings = {}): MappedDocument {
  const text = JSON.stringify(source)
  return mapDocument(parseMapping(mapping), settings, JSON.parse(text), { id: '1', bytes: Buffer.from(text) })
}
function values(document: MappedDocument): Record<string, unknown> {
  return Object.fromEntries(document.values.map(({ field, values }) => [field.path, values]))
}
const properties = (given: Record<string, unknown>) => ({ properties: given })

describe('reading a document against a mapping', () => {
  const mapping = properties({
    '@timestamp': { type: 'date' },
    host: { properties: { name: { type: 'keyword' }, ip: { type: 'ip' } } },
    message: { type: 'text', fields: { keyword: { type: 'keyword', ignore_above: 5 } } },
    level: { type: 'integer', copy_to: 'everything' },
    everything: { type: 'text' },
    labels: { type: 'flattened' },
    blob: { type: 'object', enabled: false },
  })

  it('flattens objects, dotted names, arrays and arrays of objects into values by field', () => {
    const source = {
      '@timestamp': '2026-11-21T10:11:12Z',
      'host.name': 'a',
      host: [{ name: ['b', null, ['c']] }, { ip: '10.0.0.1' }],
      level: '7',
      labels: { a: 1, b: { c: ['x'] } },
      blob: { any: { thing: [1, 'a'] } },
    }
    const document = map(mapping, source)
    expect(values(document)).toEqual({
      '@timestamp': [Date.UTC(2026, 10, 21, 10, 11, 12)],
      'host.name': ['a', 'b', 'c'],
      'host.ip': ['10.0.0.1'],
      level: [7],
      everything: ['7'],
      labels: ['1', 'x'],
      'labels._keyed': ['a\u00001', 'b.c\u0000x'],
    })
    expect(document.timeMs).toBe(Date.UTC(2026, 10, 21, 10, 11, 12))
    expect(document.mapping).toBeUndefined()
  })

  it('feeds multi-fields and names those that ignored a value', () => {
    const document = map(mapping, { message: 'too long for it' })
    expect(values(document)).toEqual({ message: ['too long for it'] })
    expect(document.ignored).toEqual(['message.keyword'])
  })

  it('takes two numbers for one point, and any other list for several', () => {
    const points = properties({ at: { type: 'geo_point' } })
    expect(values(map(points, { at: [2, 1] }))).toEqual({ at: ['1,2'] })
    expect(values(map(points, { at: [[2, 1], '3,4'] }))).toEqual({ at: ['1,2', '3,4'] })
  })

  it('keeps no values of what is not searchable', () => {
    const silent = properties({ raw: { type: 'keyword', index: false, doc_values: false }, blob: { type: 'binary' } })
    expect(values(map(silent, { raw: 'x'.repeat(10), blob: 'aGVsbG8=' }))).toEqual({})
  })

  it('gives every document the constant of a constant_keyword, and takes it from the first', () => {
    const fixed = properties({ data: properties({ stream: { type: 'constant_keyword' } }) })
    const first = map(fixed, { data: { stream: 'logs' } })
    expect(first.mapping?.properties?.['data']?.properties?.['stream']).toEqual({
      type: 'constant_keyword',
      value: 'logs',
    })
    expect(values(map(first.mapping, {}))).toEqual({ 'data.stream': ['logs'] })
    expect(() => map(first.mapping, { data: { stream: 'metrics' } })).toThrow(
      expect.objectContaining({
        cause: expect.objectContaining({ message: expect.stringContaining('but got [metrics]') }),
      }),
    )
  })

  it('applies index-wide defaults of parameters', () => {
    const document = map(mapping, { level: 'high', host: { ip: 'x' } }, { 'mapping.ignore_malformed': 'true' })
    expect(document.ignored).toEqual(['level', 'host.ip'])
    expect(() => map(mapping, { level: '5' }, { 'mapping.coerce': 'false' })).toThrow()
  })
})

describe('errors of a document', () => {
  const mapping = properties({
    source: properties({ ip: { type: 'ip' } }),
    name: { type: 'keyword' },
    n: { type: 'long' },
  })

  it('names place, field, type, id and value, with the cause', () => {
    expect(() => map(mapping, { source: { ip: ['10.0.0.1', 'LOCAL'] } })).toThrow(
      expect.objectContaining({
        code: 'document_parsing_exception',
        message:
          "[1:29] failed to parse field [source.ip] of type [ip] in document with id '1'. Preview of field's value: 'LOCAL'",
        cause: expect.objectContaining({
          code: 'illegal_argument_exception',
          message: "'LOCAL' is not an IP string literal.",
        }),
      }),
    )
  })

  it.each<[unknown, string]>([
    [
      { source: 'x' },
      '[1:11] object mapping for [source] tried to parse field [source] as object, but found a concrete value',
    ],
    [
      { name: { a: 1 } },
      "[1:9] failed to parse field [name] of type [keyword] in document with id '1'. Preview of field's value: '{a=1}'",
    ],
    [
      { _id: '1' },
      "[1:8] failed to parse field [_id] of type [_id] in document with id '1'. Preview of field's value: '1'",
    ],
    [{ '': 1 }, '[1:5] failed to parse: field name cannot be an empty string'],
    [{ 'a..b': 1 }, "[1:9] failed to parse: field name cannot contain only whitespace: ['a..b']"],
  ])('%j', (source, message) =>
    expect(() => map(mapping, source)).toThrow(
      expect.objectContaining({ code: 'document_parsing_exception', message }),
    ),
  )

  it('counts the objects of nested fields', () => {
    const nested = properties({ n: { type: 'nested', properties: { a: { type: 'long' } } } })
    const limit = { 'mapping.nested_objects.limit': '2' }
    expect(values(map(nested, { n: [{ a: 1 }, { a: 2 }] }, limit))).toEqual({ 'n.a': [1, 2] })
    expect(() => map(nested, { n: [{ a: 1 }, { a: 2 }, { a: 3 }] }, limit)).toThrow(
      'The number of nested documents has exceeded the allowed limit of [2]. This limit can be set by changing the [index.mapping.nested_objects.limit] index level setting.',
    )
  })

  it('refuses a document of endless depth instead of running out of stack', () => {
    const deep = JSON.parse(`${'{"a":'.repeat(5000)}1${'}'.repeat(5000)}`)
    expect(() => mapDocument({}, {}, deep)).toThrow('Limit of mapping depth [20] has been exceeded')
    const known = parseMapping({ properties: { a: { type: 'flattened' } } })
    expect(() => mapDocument(known, {}, deep)).toThrow('exceeds the maximum allowed')
    const arrays = { n: JSON.parse(`${'['.repeat(5000)}1${']'.repeat(5000)}`) }
    expect(() => mapDocument(parseMapping(mapping), {}, arrays)).toThrow('exceeds the maximum allowed')
  })
})

describe('dynamic mapping', () => {
  const grown = (mapping: unknown, source: unknown, settings: IndexSettings = {}) =>
    map(mapping, source, settings).mapping?.properties

  it('maps new fields by what their first value looks like', () => {
    const source = {
      s: 'x',
      n: 1,
      f: 1.5,
      b: true,
      d: '2026-11-21',
      d2: '2026/11/21',
      y: '2026',
      o: { p: [null, 2] },
      e: {},
      z: null,
      l: [],
    }
    expect(grown({}, source)).toEqual({
      s: { type: 'text', fields: { keyword: { type: 'keyword', ignore_above: 256 } } },
      n: { type: 'long' },
      f: { type: 'float' },
      b: { type: 'boolean' },
      d: { type: 'date' },
      d2: { type: 'date', format: 'yyyy/MM/dd HH:mm:ss||yyyy/MM/dd||epoch_millis' },
      y: { type: 'text', fields: { keyword: { type: 'keyword', ignore_above: 256 } } },
      o: { properties: { p: { type: 'long' } } },
      e: { type: 'object' },
    })
  })

  it('sees that a number was written as a decimal', () => {
    const bytes = Buffer.from('{"cpu":[{"pct":1.0}],"n":10}')
    const document = mapDocument({}, {}, JSON.parse(bytes.toString()), { id: '1', bytes })
    expect(document.mapping?.properties).toEqual({
      cpu: { properties: { pct: { type: 'float' } } },
      n: { type: 'long' },
    })
    expect(values(document)).toEqual({ 'cpu.pct': [1], n: [10] })
  })

  it('reads the values of the new fields at once', () => {
    expect(values(map({}, { a: { b: 'x' }, 'a.c': 5, 'd.e.f': [1, 2] }))).toEqual({
      'a.b': ['x'],
      'a.b.keyword': ['x'],
      'a.c': [5],
      'd.e.f': [1, 2],
    })
  })

  it.each<[unknown]>([
    [{ a: 1, 'a.b': 2 }],
    [{ 'a.b': 2, a: 1 }],
    [{ a: [1, { b: 2 }] }],
    [{ a: [{ b: 2 }, 1] }],
    [{ n: [1, 'x'] }],
  ])('refuses %j, whose parts contradict each other', (source) =>
    expect(() => map({}, source)).toThrow(expect.objectContaining({ code: 'document_parsing_exception' })),
  )

  it('keeps definitions that did not change as the same objects', () => {
    const before = parseMapping(properties({ a: properties({ b: { type: 'long' } }), c: { type: 'long' } }))
    const after = mapDocument(before, {}, { c2: 1 }).mapping
    expect(after?.properties?.['a']).toBe(before.properties?.['a'])
  })
})

describe('switches of dynamic mapping', () => {
  const grown = (mapping: unknown, source: unknown, settings: IndexSettings = {}) =>
    map(mapping, source, settings).mapping?.properties

  it('obeys dynamic of the mapping and of inner objects', () => {
    expect(grown({ dynamic: 'false' }, { a: 1 })).toBeUndefined()
    expect(grown({ dynamic: 'runtime' }, { a: 1 })).toBeUndefined()
    const strict = {
      dynamic: 'strict',
      properties: { open: { dynamic: true, properties: {} }, shut: { properties: {} } },
    }
    expect(grown(strict, { open: { x: 1 } })?.['open']).toEqual({
      dynamic: 'true',
      properties: { x: { type: 'long' } },
    })
    expect(() => map(strict, { open: { x: 1 }, b: 2 })).toThrow(
      expect.objectContaining({
        code: 'strict_dynamic_mapping_exception',
        message: '[1:21] mapping set to strict, dynamic introduction of [b] within [_doc] is not allowed',
      }),
    )
    expect(() => map(strict, { shut: { b: 2 } })).toThrow('dynamic introduction of [b] within [shut] is not allowed')
  })

  it('obeys date and numeric detection', () => {
    expect(grown({ date_detection: false }, { d: '2026-11-21' })?.['d']?.type).toBe('text')
    expect(grown({ numeric_detection: 'true' }, { a: '5', b: '5.5' })).toEqual({
      a: { type: 'long' },
      b: { type: 'float' },
    })
    expect(grown({ dynamic_date_formats: ['dd.MM.yyyy'] }, { d: '21.11.2026' })?.['d']).toEqual({
      type: 'date',
      format: 'dd.MM.yyyy',
    })
  })
})

describe('dynamic templates and limits', () => {
  const grown = (mapping: unknown, source: unknown) => map(mapping, source).mapping?.properties

  it('takes the first that matches, with its names filled in', () => {
    const mapping = {
      dynamic_templates: [
        { ids: { match: ['*_id', 'id'], mapping: { type: 'keyword' } } },
        {
          paths: {
            path_match: 'proc.*',
            path_unmatch: '*.raw',
            match_mapping_type: 'string',
            mapping: { type: 'wildcard' },
          },
        },
        { numbers: { match_mapping_type: ['long', 'double'], mapping: { type: '{dynamic_type}', index: 'false' } } },
        {
          regex: {
            match_pattern: 'regex',
            match: '^t\\d+$',
            mapping: { type: 'text', fields: { '{name}': { type: 'keyword' } } },
          },
        },
        { off: { match: 'off', match_mapping_type: 'object', mapping: { type: 'object', enabled: false } } },
        { rest: { match_mapping_type: 'string', mapping: { ignore_above: 1024, type: 'keyword' } } },
      ],
    }
    expect(grown(mapping, { user_id: 5, proc: { cmd: 'x', raw: 'y' }, n: 1, t1: 'a', off: { x: 1 } })).toEqual({
      user_id: { type: 'keyword' },
      proc: { properties: { cmd: { type: 'wildcard' }, raw: { type: 'keyword', ignore_above: 1024 } } },
      n: { type: 'long', index: false },
      t1: { type: 'text', fields: { t1: { type: 'keyword' } } },
      off: { type: 'object', enabled: false },
    })
  })

  it('refuses more fields, deeper objects and longer names than allowed', () => {
    const settings = { 'mapping.total_fields.limit': '3' }
    expect(() => map({}, { a: 1, b: 2, c: 'x' }, settings)).toThrow(
      expect.objectContaining({
        code: 'illegal_argument_exception',
        message: 'Limit of total fields [3] has been exceeded while adding new fields [4]',
      }),
    )
    expect(() => map({}, { a: { b: { c: 1 } } }, { 'mapping.depth.limit': '2' })).toThrow(
      'Limit of mapping depth [2] has been exceeded due to object field [a.b]',
    )
    expect(() => map({}, { abcdef: 1 }, { 'mapping.field_name_length.limit': '5' })).toThrow(
      'Field name [abcdef] is longer than the limit of [5] characters',
    )
  })

  it('ignores what is beyond the limit when told to', () => {
    const settings = { 'mapping.total_fields.limit': '1', 'mapping.total_fields.ignore_dynamic_beyond_limit': 'true' }
    const document = map({}, { a: 1, b: 2 }, settings)
    expect(document.mapping).toBeUndefined()
    expect(document.ignored).toEqual(['a', 'b'])
  })
})

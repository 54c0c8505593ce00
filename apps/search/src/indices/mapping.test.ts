import { describe, expect, it } from 'vitest'
import type { FieldMapping, Mapping } from '../model/mapping.ts'
import { mergeMappings } from './mapping-merge.ts'
import { parseMapping } from './mapping-parse.ts'
import { resolvedFields } from './resolved-fields.ts'

const properties = (given: Record<string, unknown>) => ({ properties: given })
const failed = (reason: string, code = 'mapper_parsing_exception') =>
  expect.objectContaining({
    code,
    message: code === 'mapper_parsing_exception' ? `Failed to parse mapping: ${reason}` : reason,
  })

describe('checking a mapping', () => {
  it('nests dotted names and gives parameters their types', () => {
    const given = {
      dynamic: false,
      date_detection: 'false',
      properties: {
        'host.name': { type: 'keyword', ignore_above: '256', index: 'false', copy_to: 'all' },
        'host.ip': { type: 'ip' },
        off: { type: 'object', enabled: 'false' },
        empty: { properties: {} },
        list: { type: 'nested', dynamic: 'strict', properties: {} },
      },
    }
    expect(parseMapping(given)).toEqual({
      dynamic: 'false',
      date_detection: false,
      properties: {
        host: {
          properties: {
            name: { type: 'keyword', ignore_above: 256, index: false, copy_to: ['all'] },
            ip: { type: 'ip' },
          },
        },
        off: { type: 'object', enabled: false },
        empty: { properties: {} },
        list: { type: 'nested', dynamic: 'strict', properties: {} },
      },
    })
  })
})

describe('what a mapping may not say', () => {
  it.each<[unknown, string]>([
    [
      properties({ a: { type: 'nothing' } }),
      'The mapper type [nothing] declared on field [a] does not exist. It might have been created within a future version or requires a plugin to be installed. Check the documentation.',
    ],
    [
      properties({ a: { type: 'constructor' } }),
      'The mapper type [constructor] declared on field [a] does not exist. It might have been created within a future version or requires a plugin to be installed. Check the documentation.',
    ],
    [
      properties({ a: { type: 'keyword', analyser: 'x' } }),
      'unknown parameter [analyser] on mapper [a] of type [keyword]',
    ],
    [properties({ a: { index: false } }), 'No type specified for field [a]'],
    [
      properties({ data: { type: 'object', analyzer: 'standard' } }),
      'Mapping definition for [data] has unsupported parameters:  [analyzer : standard]',
    ],
    [{ foo: 'bar' }, 'Root mapping definition has unsupported parameters:  [foo : bar]'],
    [properties({ a: { type: 'scaled_float' } }), 'Field [scaling_factor] is required'],
    [
      properties({ a: { type: 'date', format: 'nonsense' } }),
      'Error parsing [format] on field [a]: Invalid format: [nonsense]: Unknown pattern letter: o',
    ],
    [
      properties({ a: { type: 'ip', null_value: 'LOCAL' } }),
      "Error parsing [null_value] on field [a]: 'LOCAL' is not an IP string literal.",
    ],
    [
      { dynamic_templates: [{ x: { match_mapping_type: 'text', mapping: {} } }] },
      'No field type matched on [text], possible values are [object, string, long, double, boolean, date, binary]',
    ],
    ...[{ excludes: ['*.secret'] }, { excludes: 'secret' }, { excludes: ['a'], includes: ['*'] }].map(
      (_source): [unknown, string] => [
        { _source },
        'the parameter [excludes] of [_source] is not supported, sources are kept whole: take fields away in a pipeline, or leave them out of answers by the [_source] of a search',
      ],
    ),
    [
      { _source: { includes: ['a', '*'], mode: 'synthetic' } },
      'the parameter [includes] of [_source] is not supported, sources are kept whole: take fields away in a pipeline, or leave them out of answers by the [_source] of a search',
    ],
    [{ dynamic: 'maybe' }, 'Could not convert [dynamic.dynamic] to boolean'],
    [
      properties({ a: { type: 'text', fields: { b: { type: 'object' } } } }),
      'Type [object] cannot be used in multi field',
    ],
  ])('refuses %j', (given, reason) => expect(() => parseMapping(given)).toThrow(failed(reason)))

  it('takes filters of sources that filter nothing', () => {
    for (const _source of [{ includes: [], excludes: [] }, { includes: ['*'] }])
      expect(parseMapping({ _source })).toEqual({ _source })
  })

  it('refuses bad names and mapping types', () => {
    expect(() => parseMapping(properties({ '': { type: 'keyword' } }))).toThrow(
      failed('field name cannot be an empty string', 'illegal_argument_exception'),
    )
    expect(() => parseMapping({ _doc: { properties: {} } })).toThrow('cannot be nested under a type [_doc]')
  })
})

describe('phrases in the index of a text', () => {
  it.each([
    [{ index: false }, 'Cannot set index_phrases on unindexed field [b]'],
    [{ index_options: 'freqs' }, 'Cannot set index_phrases on field [b] if positions are not enabled'],
    [{ index_options: 'docs' }, 'Cannot set index_phrases on field [b] if positions are not enabled'],
  ])('are refused without words or their places: %j', (other, reason) => {
    const text = (index_phrases: boolean) =>
      properties({ a: properties({ b: { type: 'text', index_phrases, ...other } }) })
    expect(() => parseMapping(text(true))).toThrow(failed(reason))
    expect(() => parseMapping(text(false))).not.toThrow()
  })
})

describe('merging mappings', () => {
  const merge = (
    a: Record<string, unknown>,
    b: Record<string, unknown>,
    reason?: 'update' | 'template',
  ): Mapping['properties'] => mergeMappings(parseMapping(properties(a)), parseMapping(properties(b)), reason).properties

  it('adds fields and multi-fields, and changes what may change', () => {
    const before = { a: { type: 'keyword', ignore_above: 5, meta: { x: '1' } }, o: properties({ b: { type: 'long' } }) }
    const after = { a: { type: 'keyword', ignore_above: 9, fields: { t: { type: 'text' } } }, 'o.c': { type: 'ip' } }
    expect(merge(before, after)).toEqual({
      a: { type: 'keyword', ignore_above: 9, fields: { t: { type: 'text' } } },
      o: { properties: { b: { type: 'long' }, c: { type: 'ip' } } },
    })
  })

  it.each<[FieldMapping, FieldMapping, string]>([
    [{ type: 'keyword' }, { type: 'text' }, 'mapper [x] cannot be changed from type [keyword] to [text]'],
    [{ properties: {} }, { type: 'text' }, "can't merge a non object mapping [x] with an object mapping"],
    [{ type: 'text' }, { properties: {} }, "can't merge a non object mapping [x] with an object mapping"],
    [{ type: 'nested' }, { properties: {} }, "can't merge a non-nested mapping [x] with a nested mapping"],
    [
      { type: 'object' },
      { type: 'object', enabled: false },
      "the [enabled] parameter can't be updated for the object mapping [x]",
    ],
    [
      { type: 'keyword', index: false },
      { type: 'keyword' },
      'Mapper for [x] conflicts with existing mapper:\n\tCannot update parameter [index] from [false] to [true]',
    ],
    [
      { type: 'date', format: 'yyyy' },
      { type: 'date', format: 'yyyy-MM' },
      'Mapper for [x] conflicts with existing mapper:\n\tCannot update parameter [format] from [yyyy] to [yyyy-MM]',
    ],
  ])('refuses to turn %j into %j', (before, after, reason) =>
    expect(() => merge({ x: before }, { x: after })).toThrow(failed(reason, 'illegal_argument_exception')),
  )

  it('lets the later definition win in templates', () => {
    expect(merge({ x: { type: 'keyword' }, y: { type: 'ip' } }, { x: { type: 'text' } }, 'template')).toEqual({
      x: { type: 'text' },
      y: { type: 'ip' },
    })
  })

  it('replaces dynamic templates of the same name in templates, keeping the order, and all of them in an update', () => {
    const template = (type: string) => ({ match: '*', mapping: { type } })
    const before = { dynamic_templates: [{ a: template('text') }, { b: template('text') }] }
    const added = { dynamic_templates: [{ a: template('keyword') }, { c: template('ip') }] }
    expect(mergeMappings(before, added, 'template').dynamic_templates).toEqual([
      { a: template('keyword') },
      { b: template('text') },
      { c: template('ip') },
    ])
    expect(mergeMappings(before, added).dynamic_templates).toEqual(added.dynamic_templates)
    expect(mergeMappings(before, { dynamic_templates: [] }).dynamic_templates).toEqual([])
    expect(mergeMappings(before, {}).dynamic_templates).toEqual(before.dynamic_templates)
  })
})

describe('the fields of a mapping', () => {
  it('are its leaves and multi-fields; aliases lead to their targets', () => {
    const mapping = parseMapping(
      properties({
        'host.name': { type: 'keyword', fields: { text: { type: 'text' } } },
        hostname: { type: 'alias', path: 'host.name' },
        lost: { type: 'alias', path: 'nowhere' },
        o: properties({}),
      }),
    )
    const index = { mapping, settings: {} }
    const fields = resolvedFields(index)
    expect([...fields.keys()].sort()).toEqual(['host.name', 'host.name.text', 'hostname'])
    expect(fields.get('hostname')?.path).toBe('host.name')
    expect(fields.get('host.name.text')).toMatchObject({ sourcePath: 'host.name', valueType: 'text', wireType: 'text' })
    expect(resolvedFields(index)).toBe(fields)
  })

  it('have their token index at once where the mapping asks for text, not where dynamic mapping guessed it', () => {
    const keyword = { type: 'keyword', ignore_above: 256 }
    const mapping = parseMapping(
      properties({
        guessed: { type: 'text', fields: { keyword } },
        plain: { type: 'text' },
        longer: { type: 'text', fields: { keyword: { ...keyword, ignore_above: 1024 } } },
        analysed: { type: 'text', analyzer: 'standard', fields: { keyword } },
        path: { type: 'keyword', fields: { text: { type: 'match_only_text' } } },
      }),
    )
    const atOnce = [...resolvedFields({ mapping, settings: {} }).values()].filter((field) => field.indexedAtOnce)
    expect(atOnce.map(({ path }) => path)).toEqual(['plain', 'longer', 'analysed', 'path.text'])
  })
})

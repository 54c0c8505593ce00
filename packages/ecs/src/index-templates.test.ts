import { describe, expect, it } from 'vitest'
import { ecsFields, fieldTypeOf } from './field-types.ts'
import { indexTemplates, type MappingNode, mappingProperties } from './index-templates.ts'
import { streamParts } from './stream-parts.ts'

const at = (properties: Readonly<Record<string, MappingNode>>, path: string): MappingNode | undefined =>
  path
    .split('.')
    .reduce<MappingNode | undefined>((node, step) => node?.properties?.[step], { properties: { ...properties } })

const named = (name: string) => {
  const found = indexTemplates().find((template) => template.name === name)
  if (!found) throw new Error(`no template ${name}`)
  return found.body
}

describe('field list', () => {
  it('names each field once and no field is also a parent of another', () => {
    const names = ecsFields.map((field) => field.name)
    expect(new Set(names).size).toBe(names.length)
    const parents = names.filter((name) => names.some((other) => other.startsWith(`${name}.`)))
    expect(parents).toEqual([])
  })

  it('knows the type of a field and says nothing of unknown ones', () => {
    expect(fieldTypeOf('source.ip')).toBe('ip')
    expect(fieldTypeOf('source.port')).toBe('long')
    expect(fieldTypeOf('labels.anything')).toBeUndefined()
  })
})

describe('index templates', () => {
  it('makes logs and metrics data streams and leaves winlogbeat plain indices', () => {
    expect(named('logstack-logs')).toMatchObject({ index_patterns: ['logs-*-*'], data_stream: {} })
    expect(named('logstack-metrics')).toMatchObject({ index_patterns: ['metrics-*-*'], data_stream: {} })
    expect(named('logstack-winlogbeat')).not.toHaveProperty('data_stream')
  })

  it('stays below the priority of the templates that Beats install', () => {
    for (const { body } of indexTemplates()) expect(body.priority).toBeLessThan(150)
  })

  it.each([
    ['source.ip', { type: 'ip' }],
    ['destination.ip', { type: 'ip' }],
    ['@timestamp', { type: 'date' }],
    ['message', { type: 'match_only_text' }],
    ['winlog.event_id', { type: 'keyword', ignore_above: 1024 }],
    ['system.memory.used.bytes', { type: 'long' }],
  ])('maps %s', (path, mapping) => {
    expect(at(named('logstack-winlogbeat').template.mappings.properties, path)).toEqual(mapping)
  })

  it('has its fields in a part that is as old as they are, so that an upgrade brings new ones', () => {
    const versions = new Map(streamParts().map(({ name, body }) => [name, body.version]))
    for (const { name, body } of indexTemplates()) expect(versions.get(`${name}@package`)).toBe(body.version)
    expect(versions.get('ecs@mappings')).toBe(named('logstack-logs').version)
  })

  it('maps unknown strings as keywords that ignore what is longer than 1024', () => {
    expect(named('logstack-logs').template.mappings.dynamic_templates).toContainEqual({
      strings_as_keyword: { match_mapping_type: 'string', mapping: { type: 'keyword', ignore_above: 1024 } },
    })
  })
})

describe('mappingProperties', () => {
  it('nests dotted names', () => {
    expect(
      mappingProperties([
        { name: 'a.b.c', type: 'long' },
        { name: 'a.b.d', type: 'ip' },
        { name: 'e', type: 'keyword' },
      ]),
    ).toEqual({
      a: { properties: { b: { properties: { c: { type: 'long' }, d: { type: 'ip' } } } } },
      e: { type: 'keyword', ignore_above: 1024 },
    })
  })
})

import { type EcsField, type EcsFieldType, ecsFields } from './field-types.ts'

/** The mapping of one field or object, in the shape of Elasticsearch's mapping API. */
export interface MappingNode {
  type?: string
  ignore_above?: number
  properties?: Record<string, MappingNode>
}

/** The body of `PUT /_index_template/{name}`. */
export interface IndexTemplateBody {
  readonly index_patterns: readonly string[]
  readonly priority: number
  readonly data_stream?: Readonly<Record<string, never>>
  readonly template: {
    readonly settings: { readonly index: { readonly mapping: { readonly total_fields: { readonly limit: number } } } }
    readonly mappings: {
      readonly _meta: { readonly managed_by: 'logstack'; readonly version: number }
      readonly date_detection: false
      readonly dynamic_templates: readonly Readonly<Record<string, unknown>>[]
      readonly properties: Readonly<Record<string, MappingNode>>
    }
  }
  readonly version: number
  readonly _meta: { readonly managed_by: 'logstack'; readonly description: string }
}

/** A template and its name. */
export interface NamedIndexTemplate {
  readonly name: string
  readonly body: IndexTemplateBody
}

// 2: out of parts, of which the administrator may write one. 3: fields of vulnerabilities.
const version = 3
const keywordIgnoreAbove = 1024
const totalFieldsLimit = 10_000

// Below 150: what Beats and Elastic Agent install themselves must win over ours.
const priority = 100

/** Nests dotted fields into the `properties` of a mapping. */
export function mappingProperties(fields: readonly EcsField[]): Record<string, MappingNode> {
  const root: Record<string, MappingNode> = {}
  for (const { name, type } of fields) {
    const steps = name.split('.')
    const leaf = steps.pop()
    if (leaf === undefined) throw new Error('BUG: a field without a name')
    let level = root
    for (const step of steps) {
      const node: MappingNode = level[step] ?? {}
      level[step] = node
      node.properties ??= {}
      level = node.properties
    }
    level[leaf] = fieldMapping(type)
  }
  return root
}

function fieldMapping(type: EcsFieldType): MappingNode {
  return type === 'keyword' ? { type, ignore_above: keywordIgnoreAbove } : { type }
}

const dynamicTemplates = [
  {
    // The whole event as it came: kept, never searched by equality, may be long.
    event_original: { path_match: 'event.original', mapping: { type: 'keyword', index: false, doc_values: false } },
  },
  {
    strings_as_keyword: {
      match_mapping_type: 'string',
      mapping: { type: 'keyword', ignore_above: keywordIgnoreAbove },
    },
  },
]

function template(options: {
  name: string
  pattern: string
  description: string
  dataStream: boolean
  priority?: number
}): NamedIndexTemplate {
  const { name, pattern, description, dataStream } = options
  const body: IndexTemplateBody = {
    index_patterns: [pattern],
    priority: options.priority ?? priority,
    ...(dataStream ? { data_stream: {} } : {}),
    template: {
      settings: { index: { mapping: { total_fields: { limit: totalFieldsLimit } } } },
      mappings: {
        _meta: { managed_by: 'logstack', version },
        date_detection: false,
        dynamic_templates: dynamicTemplates,
        properties: mappingProperties(ecsFields),
      },
    },
    version,
    _meta: { managed_by: 'logstack', description },
  }
  return { name, body }
}

/**
 * The index templates an install ships: data streams `logs-*-*` and `metrics-*-*`, and plain indices `endpoint-*` and `winlogbeat-*`. `ip` fields take only
 * addresses, unknown strings become keywords, `message` is full text. Put each with `PUT /_index_template/{name}`.
 */
export function indexTemplates(): NamedIndexTemplate[] {
  return [
    template({
      name: 'logstack-logs',
      pattern: 'logs-*-*',
      description: 'Log events of agents, syslog and OpenTelemetry',
      dataStream: true,
    }),
    template({
      name: 'logstack-metrics',
      pattern: 'metrics-*-*',
      description: 'Metrics of hosts and services',
      dataStream: true,
    }),
    template({
      name: 'logstack-endpoint',
      pattern: 'endpoint-*',
      description: 'What endpoints have now: inventories and results of checks',
      dataStream: false,
    }),
    template({
      name: 'logstack-winlogbeat',
      pattern: 'winlogbeat-*',
      description: 'Windows events sent by Winlogbeat or by a bulk client',
      dataStream: false,
      priority: 50,
    }),
  ]
}

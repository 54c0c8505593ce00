import { type IndexTemplateBody, indexTemplates, type NamedIndexTemplate } from './index-templates.ts'

type Template = Readonly<Record<string, unknown>>

/** What is put at a path of search before the templates that name it. */
export interface StreamPart {
  /** `_component_template` or `_ingest/pipeline`. */
  readonly api: '_component_template' | '_ingest/pipeline'
  readonly name: string
  readonly body: {
    readonly version: number
    readonly _meta: { readonly managed_by: 'logstack'; readonly description: string }
  }
}

/** An index template that is composed of parts. */
export interface ComposedIndexTemplate {
  readonly name: string
  readonly body: Omit<IndexTemplateBody, 'template'> & {
    readonly composed_of: readonly string[]
    readonly ignore_missing_component_templates: readonly string[]
  }
}

const version = 1

const meta = (description: string) => ({ version, _meta: { managed_by: 'logstack', description } as const })

/** A part with the stack's fields is as old as these are, which is the age of the templates that have them. */
const component = (name: string, description: string, template: Template, age = version): StreamPart => ({
  api: '_component_template',
  name,
  body: { ...meta(description), ...{ template }, version: age },
})

const pipeline = (name: string, description: string, processors: readonly Template[]): StreamPart => ({
  api: '_ingest/pipeline',
  name,
  body: { ...meta(description), ...{ description, processors } },
})

/** Which stream a document is of, by the fields of `data_stream`. */
const streamFields = (type: string): Template => ({
  mappings: {
    date_detection: false,
    properties: {
      data_stream: {
        properties: {
          type: { type: 'constant_keyword', value: type },
          dataset: { type: 'constant_keyword' },
          namespace: { type: 'constant_keyword' },
        },
      },
    },
  },
})

const lenient = { codec: 'best_compression', mapping: { ignore_malformed: true } }

/** The own part of an index template, which others may follow and change. */
const ownPart = ({ name, body }: NamedIndexTemplate): StreamPart =>
  component(`${name}@package`, body._meta.description, { ...body.template }, body.version)

/** What templates for `logs-*-*` and `metrics-*-*` are composed of by name in an Elasticsearch cluster, whoever wrote them. */
const namedParts = (): StreamPart[] => {
  const [ours] = indexTemplates()
  if (!ours) throw new Error('BUG: no index template is shipped')
  const { mappings } = ours.body.template
  return [
    component('ecs@mappings', 'Fields of the Elastic Common Schema', { mappings }, ours.body.version),
    component('logs@mappings', 'Fields of every stream of logs', streamFields('logs')),
    component('logs@settings', 'Settings of streams of logs, with the pipeline logs@default-pipeline', {
      settings: { index: { ...lenient, default_pipeline: 'logs@default-pipeline' } },
    }),
    component('metrics@mappings', 'Fields of every stream of metrics', streamFields('metrics')),
    component('metrics@settings', 'Settings of streams of metrics', { settings: { index: lenient } }),
    component('metrics@tsdb-settings', 'Settings of time series of metrics', { settings: { index: lenient } }),
  ]
}

const pipelines: readonly StreamPart[] = [
  pipeline('logs@default-pipeline', 'Gives logs a time and runs logs@custom where there is one', [
    { set: { field: '@timestamp', copy_from: '_ingest.timestamp', override: false } },
    { pipeline: { name: 'logs@custom', ignore_missing_pipeline: true } },
  ]),
  pipeline('logs@json-pipeline', 'Takes a message apart that is a JSON object', [
    {
      json: {
        if: "ctx.message instanceof String && ctx.message.startsWith('{') && ctx.message.endsWith('}')",
        field: 'message',
        add_to_root: true,
        add_to_root_conflict_strategy: 'merge',
        allow_duplicate_keys: true,
        ignore_failure: true,
      },
    },
    { set: { field: '@timestamp', copy_from: '_ingest.timestamp', override: false } },
  ]),
]

/** Component templates and pipelines, those first that others name. */
export function streamParts(): StreamPart[] {
  return [...pipelines, ...namedParts(), ...indexTemplates().map(ownPart)]
}

/** The shipped index templates out of parts: their own, then that of the administrator (`logs@custom`), which changes what it names, if there is one. */
export function composedIndexTemplates(): ComposedIndexTemplate[] {
  return indexTemplates().map(({ name, body: { template: _own, ...body } }) => {
    const custom = `${name.replace(/^logstack-/u, '')}@custom`
    return {
      name,
      body: {
        ...body,
        composed_of: [`${name}@package`, custom],
        ignore_missing_component_templates: [custom],
      },
    }
  })
}

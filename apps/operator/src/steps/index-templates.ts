import {
  composedIndexTemplates,
  type IndexTemplateBody,
  indexTemplates,
  type StreamPart,
  streamParts,
} from '@logstack/ecs'
import { type Stack, searchIsRemote } from '../stack.ts'
import { unproven } from '../telling/unproven.ts'
import { defineStep, findingOf } from './define-step.ts'

/** What is put, and where. */
interface Shipped {
  readonly path: string
  readonly body: object
}

/**
 * The index templates of the stack's own data streams and of `winlogbeat-*`, by version: an older one is replaced, a newer one kept. Search gets them out of
 * parts, with those that other templates are composed of; a cluster, which has such parts itself or knows none, gets them whole.
 */
export const indexTemplatesStep = defineStep({
  name: 'index-templates',
  title: 'index templates',
  async diagnose(stack) {
    return findingOf((await outdated(stack)).map(planOf))
  },
  planFromNothing: () => [...streamParts().map(partOf), ...indexTemplates().map(templateOf)].map(planOf),
  async apply(stack) {
    for (const { path, body } of await outdated(stack))
      await stack.clients.search().request({ method: 'PUT', path, body })
  },
  async prove(stack) {
    const [left] = await outdated(stack)
    if (left) throw unproven(`${left.path} was not stored`)
  },
})

function planOf({ path }: Shipped): string {
  return `PUT ${path}`
}

function templateOf({ name, body }: { readonly name: string; readonly body: object }): Shipped {
  return { path: `/_index_template/${encodeURIComponent(name)}`, body }
}

function partOf({ api, name, body }: StreamPart): Shipped {
  return { path: `/${api}/${name}`, body }
}

/** A cluster keeps a copy of everything on a second node, where it has one; without one it lacks nothing. */
function withCopies(body: IndexTemplateBody): IndexTemplateBody {
  const { template } = body
  const index = { ...template.settings.index, auto_expand_replicas: '0-1' }
  return { ...body, template: { ...template, settings: { ...template.settings, index } } }
}

interface TemplatesAnswer {
  readonly index_templates?: readonly {
    readonly name: string
    readonly index_template: { readonly version?: number }
  }[]
}

interface PartsAnswer {
  readonly component_templates?: readonly { readonly name: string; readonly component_template: Versioned }[]
}

interface Versioned {
  readonly version?: number
  readonly _meta?: { readonly managed_by?: unknown }
}

async function outdated(stack: Stack): Promise<Shipped[]> {
  const found = await answerOf<TemplatesAnswer>(stack, '/_index_template')
  const versions = new Map(found.index_templates?.map((entry) => [entry.name, entry.index_template.version ?? 0]))
  const isOlder = ({ name, body }: { name: string; body: { version: number } }) =>
    (versions.get(name) ?? 0) < body.version
  if (searchIsRemote(stack))
    return indexTemplates()
      .filter(isOlder)
      .map(({ name, body }) => templateOf({ name, body: withCopies(body) }))
  return [...(await outdatedParts(stack)).map(partOf), ...composedIndexTemplates().filter(isOlder).map(templateOf)]
}

/** Parts that are not there, and older ones of ours: one of the administrator's own that has the name stays. */
async function outdatedParts(stack: Stack): Promise<StreamPart[]> {
  const components = await answerOf<PartsAnswer>(stack, '/_component_template')
  const pipelines = await answerOf<Readonly<Record<string, Versioned>>>(stack, '/_ingest/pipeline')
  const stored = new Map([
    ...(components.component_templates?.map(
      ({ name, component_template: part }) => [`_component_template/${name}`, part] as const,
    ) ?? []),
    ...Object.entries(pipelines).map(([name, part]) => [`_ingest/pipeline/${name}`, part] as const),
  ])
  return streamParts().filter(({ api, name, body }) => {
    const there = stored.get(`${api}/${name}`)
    return !there || (there._meta?.managed_by === 'logstack' && (there.version ?? 0) < body.version)
  })
}

async function answerOf<T>(stack: Stack, path: string): Promise<T> {
  return (await stack.clients.search().request<T>({ method: 'GET', path, accept: [404] })).body
}

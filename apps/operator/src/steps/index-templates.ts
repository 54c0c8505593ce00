import { indexTemplates, type NamedIndexTemplate } from '@logstack/ecs'
import { type Stack, searchIsRemote } from '../stack.ts'
import { unproven } from '../telling/unproven.ts'
import { defineStep, findingOf } from './define-step.ts'

/** The index templates of the stack's own data streams and of `winlogbeat-*`, by version: an older one is replaced, a newer one kept. */
export const indexTemplatesStep = defineStep({
  name: 'index-templates',
  title: 'index templates',
  async diagnose(stack) {
    return findingOf((await outdated(stack)).map(planOf))
  },
  planFromNothing: () => indexTemplates().map(planOf),
  async apply(stack) {
    for (const { name, body: shipped } of await outdated(stack)) {
      const body = searchIsRemote(stack) ? withCopies(shipped) : shipped
      await stack.clients
        .search()
        .request({ method: 'PUT', path: `/_index_template/${encodeURIComponent(name)}`, body })
    }
  },
  async prove(stack) {
    const [left] = await outdated(stack)
    if (left) throw unproven(`the index template ${left.name} was not stored`)
  },
})

function planOf({ name }: NamedIndexTemplate): string {
  return `PUT /_index_template/${name}`
}

/** A cluster keeps a copy of everything on a second node, where it has one; without one it lacks nothing. */
function withCopies(body: NamedIndexTemplate['body']): NamedIndexTemplate['body'] {
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

async function outdated(stack: Stack): Promise<NamedIndexTemplate[]> {
  const answer = await stack.clients
    .search()
    .request<TemplatesAnswer>({ method: 'GET', path: '/_index_template', accept: [404] })
  const versions = new Map(answer.body.index_templates?.map((entry) => [entry.name, entry.index_template.version ?? 0]))
  return indexTemplates().filter(({ name, body }) => (versions.get(name) ?? 0) < body.version)
}

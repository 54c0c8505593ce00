import { indexTemplates, type NamedIndexTemplate } from '@logstack/ecs'
import type { Stack } from '../stack.ts'
import { defineStep, findingOf } from './define-step.ts'
import { unproven } from './unproven.ts'

/** The index templates of the stack's own data streams and of `winlogbeat-*`, by version: an older one is replaced, a newer one kept. */
export const indexTemplatesStep = defineStep({
  name: 'index-templates',
  title: 'index templates',
  async diagnose(stack) {
    return findingOf((await outdated(stack)).map(planOf))
  },
  planFromNothing: () => indexTemplates().map(planOf),
  async apply(stack) {
    for (const { name, body } of await outdated(stack)) {
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

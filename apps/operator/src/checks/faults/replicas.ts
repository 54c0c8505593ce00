import { askSearch } from '../../evidence/search-answers.ts'
import { shardRows } from '../../evidence/shards.ts'
import { type DoctorContext, defineFault } from './define-fault.ts'

interface Found {
  readonly indices: readonly string[]
  /** Index templates that would make new indices with replicas. */
  readonly templates: readonly string[]
}

/** Replicas that find no node, on a stack of one node: cluster health is yellow for ever. */
export const replicas = defineFault<Found>({
  name: 'replicas',
  title: 'replicas on one node',
  async diagnose(context) {
    const nodes = (await askSearch<{ number_of_data_nodes?: number }>(context, '/_cluster/health'))
      ?.number_of_data_nodes
    const rows = (await shardRows(context)).filter(({ prirep, state }) => prirep === 'r' && state === 'UNASSIGNED')
    if (nodes !== 1) return { status: 'healthy', detail: `${nodes} nodes can hold them` }
    if (rows.length === 0) return { status: 'healthy', detail: 'none is unassigned' }
    const indices = [...new Set(rows.map(({ index }) => index))].sort()
    return {
      status: 'fault',
      problem: `${rows.length} replicas of ${indices.length} indices find no node`,
      evidence: rows
        .slice(0, evidenceMax)
        .map(({ index, shard, unassignedReason }) => `${index} ${shard} r UNASSIGNED ${unassignedReason}`.trim()),
      meaning: 'cluster health is yellow and stays so; no event is lost, as every primary is there',
      found: { indices, templates: await templatesWithReplicas(context) },
    }
  },
  plan: (_context, { templates }) => [
    'PUT /_settings {"index.number_of_replicas": 0}',
    ...templates.map((name) => `# PUT /_index_template/${name} with "number_of_replicas": 0`),
  ],
  async repair({ stack }, { templates }) {
    const search = stack.clients.search()
    const query = { expand_wildcards: 'all' }
    await search.request({ method: 'PUT', path: '/_settings', query, body: { 'index.number_of_replicas': 0 } })
    for (const name of templates) {
      const path = `/_index_template/${encodeURIComponent(name)}`
      const { body } = await search.request<TemplatesAnswer>({ method: 'GET', path })
      const template = body.index_templates[0]?.index_template
      if (template) await search.request({ method: 'PUT', path, body: withoutReplicas(template) })
    }
  },
})

const evidenceMax = 5

interface Template {
  readonly template?: { readonly settings?: { readonly index?: Readonly<Record<string, unknown>> } }
}

interface TemplatesAnswer {
  readonly index_templates: readonly { readonly name: string; readonly index_template: Template }[]
}

async function templatesWithReplicas(context: DoctorContext): Promise<string[]> {
  const answer = await askSearch<TemplatesAnswer>(context, '/_index_template')
  return (answer?.index_templates ?? [])
    .filter(({ index_template: { template } }) => Number(template?.settings?.index?.['number_of_replicas'] ?? 0) > 0)
    .map(({ name }) => name)
}

function withoutReplicas(template: Template): Template {
  const settings = template.template?.settings
  const index = { ...settings?.index, number_of_replicas: '0' }
  return { ...template, template: { ...template.template, settings: { ...settings, index } } }
}

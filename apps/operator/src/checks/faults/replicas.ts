import { z } from 'zod'
import { type DoctorContext, defineFault } from '../../doctor/define-fault.ts'
import { askSearch } from '../../evidence/search-answers.ts'
import { shardRows } from '../../evidence/shards.ts'

interface Found {
  readonly indices: readonly string[]
  /** Index templates that would make new indices with replicas. */
  readonly templates: readonly string[]
}

/** Replicas that find no node, on a stack of one node: cluster health is yellow for ever. */
export const replicas = defineFault<Found>({
  name: 'replicas',
  title: 'replicas on one node',
  ofOwnSearch: true,
  async diagnose(context) {
    const health = await askSearch(context, { path: '/_cluster/health', answer: healthSchema })
    const nodes = health?.number_of_data_nodes
    const rows = (await shardRows(context)).filter(({ prirep, state }) => prirep === 'r' && state === 'UNASSIGNED')
    if (nodes === undefined) return { status: 'unknown', why: 'search does not know the path /_cluster/health' }
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
      const { body } = await search.request<z.infer<typeof templatesSchema>>({ method: 'GET', path })
      const template = body.index_templates[0]?.index_template
      if (template) await search.request({ method: 'PUT', path, body: withoutReplicas(template) })
    }
  },
})

const evidenceMax = 5
const healthSchema = z.object({ number_of_data_nodes: z.number() })

// What else a template holds is written back with it.
const settingsSchema = z.looseObject({ index: z.record(z.string(), z.unknown()).optional() })
const templateSchema = z.looseObject({ template: z.looseObject({ settings: settingsSchema.optional() }).optional() })
const templatesSchema = z.object({
  index_templates: z.array(z.object({ name: z.string(), index_template: templateSchema })),
})
type Template = z.infer<typeof templateSchema>

async function templatesWithReplicas(context: DoctorContext): Promise<string[]> {
  const answer = await askSearch(context, { path: '/_index_template', answer: templatesSchema })
  return (answer?.index_templates ?? [])
    .filter(({ index_template: { template } }) => Number(template?.settings?.index?.['number_of_replicas'] ?? 0) > 0)
    .map(({ name }) => name)
}

function withoutReplicas(template: Template): Template {
  const settings = template.template?.settings
  const index = { ...settings?.index, number_of_replicas: '0' }
  return { ...template, template: { ...template.template, settings: { ...settings, index } } }
}

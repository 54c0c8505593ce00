import { indexTemplates as shippedTemplates } from '@logstack/ecs'
import { z } from 'zod'
import { defineFault } from '../../doctor/define-fault.ts'
import { askSearch } from '../../evidence/search-answers.ts'
import { runStep } from '../../mending/run-step.ts'
import { indexTemplatesStep } from '../../steps/index-templates.ts'

const answer = z.object({
  index_templates: z.array(
    z.object({ name: z.string(), index_template: z.object({ version: z.number().optional() }) }),
  ),
})

/** The shipped index templates: without them new indices guess the types of fields, and addresses become words. */
export const indexTemplates = defineFault<{ readonly names: readonly string[] }>({
  name: 'index-templates',
  title: 'index templates',
  explainedBy: ['mounts'],
  async diagnose(context) {
    const found = await askSearch(context, { path: '/_index_template', answer })
    const versions = new Map(found?.index_templates.map((one) => [one.name, one.index_template.version ?? 0]))
    const wrong = shippedTemplates().filter(({ name, body }) => (versions.get(name) ?? 0) < body.version)
    if (wrong.length === 0) return { status: 'healthy', detail: `${shippedTemplates().length} present` }
    return {
      status: 'fault',
      problem: `index templates are missing or old: ${wrong.map(({ name }) => name).join(', ')}`,
      evidence: wrong.map(({ name, body }) => {
        const version = versions.get(name)
        return `${name}: ${version === undefined ? 'not there' : `version ${version}`}, shipped is version ${body.version}`
      }),
      meaning: 'new indices guess the types of their fields, so searches by address, number or time go wrong',
      found: { names: wrong.map(({ name }) => name) },
    }
  },
  plan: (_context, { names }) => names.map((name) => `PUT /_index_template/${name}`),
  repair: ({ stack }, _found, progress) => runStep(indexTemplatesStep, stack, progress),
})

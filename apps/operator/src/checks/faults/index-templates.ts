import { indexTemplates as shippedTemplates } from '@logstack/ecs'
import { askSearch } from '../../evidence/search-answers.ts'
import { runStep } from '../../mending/run-step.ts'
import { indexTemplatesStep } from '../../steps/index-templates.ts'
import { defineFault } from './define-fault.ts'

interface TemplatesAnswer {
  readonly index_templates?: readonly {
    readonly name: string
    readonly index_template: { readonly version?: number }
  }[]
}

/** The shipped index templates: without them new indices guess the types of fields, and addresses become words. */
export const indexTemplates = defineFault<{ readonly names: readonly string[] }>({
  name: 'index-templates',
  title: 'index templates',
  async diagnose(context) {
    const answer = await askSearch<TemplatesAnswer>(context, '/_index_template')
    const versions = new Map(answer?.index_templates?.map((one) => [one.name, one.index_template.version ?? 0]))
    const wrong = shippedTemplates().filter(({ name, body }) => (versions.get(name) ?? 0) < body.version)
    if (wrong.length === 0) return { status: 'healthy', detail: `${shippedTemplates().length} present` }
    return {
      status: 'fault',
      problem: `index templates are missing or old: ${wrong.map(({ name }) => name).join(', ')}`,
      evidence: wrong.map(({ name, body }) => {
        const found = versions.get(name)
        return `${name}: ${found === undefined ? 'not there' : `version ${found}`}, shipped is version ${body.version}`
      }),
      meaning: 'new indices guess the types of their fields, so searches by address, number or time go wrong',
      found: { names: wrong.map(({ name }) => name) },
    }
  },
  plan: (_context, { names }) => names.map((name) => `PUT /_index_template/${name}`),
  repair: ({ stack }, _found, progress) => runStep(indexTemplatesStep, stack, progress),
})

import { indexTemplates } from '@logstack/ecs'
import { z } from 'zod'
import type { DoctorContext } from '../doctor/define-fault.ts'
import { askSearch } from './search-answers.ts'

const templatesSchema = z.object({
  index_templates: z.array(
    z.object({
      name: z.string(),
      index_template: z.object({
        index_patterns: z.union([z.string(), z.array(z.string())]),
        priority: z.number().optional(),
        data_stream: z.unknown().optional(),
      }),
    }),
  ),
})

/** The template by which search makes an index of a name. */
export interface NameTemplate {
  readonly name: string
  /** Of such a name it makes a data stream, not a plain index. */
  readonly makesStreams: boolean
}

interface Template extends NameTemplate {
  readonly patterns: readonly RegExp[]
  readonly priority: number
}

/**
 * Tells the template of a name, which is the one with the highest priority among those that match; undefined where none does. A shipped template
 * that is not there counts as if it were.
 */
export async function templateOfName(context: DoctorContext): Promise<(name: string) => NameTemplate | undefined> {
  const answer = await askSearch(context, { path: '/_index_template', answer: templatesSchema })
  const stored = (answer?.index_templates ?? []).map(({ name, index_template: template }) =>
    templateFrom(name, { ...template, index_patterns: [template.index_patterns].flat() }),
  )
  const lost = indexTemplates().filter(({ name }) => !stored.some((one) => one.name === name))
  const templates = [...stored, ...lost.map(({ name, body }) => templateFrom(name, body))]
  templates.sort((one, other) => other.priority - one.priority)
  return (name) => templates.find(({ patterns }) => patterns.some((pattern) => pattern.test(name)))
}

function templateFrom(
  name: string,
  body: {
    readonly index_patterns: readonly string[]
    readonly priority?: number | undefined
    readonly data_stream?: unknown
  },
): Template {
  return {
    name,
    patterns: body.index_patterns.map(expressionOf),
    priority: body.priority ?? 0,
    makesStreams: body.data_stream !== undefined,
  }
}

function expressionOf(pattern: string): RegExp {
  const parts = pattern.split('*').map((part) => part.replaceAll(/[.+?^${}()|[\]\\]/g, '\\$&'))
  return new RegExp(`^${parts.join('.*')}$`)
}

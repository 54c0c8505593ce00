import { z } from 'zod'
import { type DoctorContext, defineFault } from '../../doctor/define-fault.ts'
import { askSearch } from '../../evidence/search-answers.ts'
import { templateOfName } from '../../evidence/template-of-name.ts'
import { asideOf, type MadeWithout, setAside, setAsideFor, takeBack } from '../../mending/make-by-template.ts'
import { runStep } from '../../mending/run-step.ts'
import { indexTemplatesStep } from '../../steps/index-templates.ts'

interface Found {
  readonly made: readonly MadeWithout[]
  /** Names whose documents are still set aside, as a repair was cut off. */
  readonly aside: readonly string[]
}

const indicesSchema = z.object({
  indices: z.array(z.object({ name: z.string(), data_stream: z.string().optional() })),
})
const leftSchema = z.object({ count: z.number(), reason: z.string() })
const mappingsSchema = z.record(
  z.string(),
  z.object({ mappings: z.object({ _meta: z.object({ left: leftSchema.optional() }).optional() }) }),
)
const fieldSchema = z.record(
  z.string(),
  z.object({
    mappings: z.record(
      z.string(),
      z.object({ mapping: z.record(z.string(), z.object({ type: z.string().optional() })) }),
    ),
  }),
)

const evidenceMax = 10
/** What the shipped templates map as keyword, and what takes words for the field of an unknown text maps as text. */
const sign = 'host.name'
const plainTemplates: readonly string[] = ['logstack-endpoint', 'logstack-winlogbeat']

/** Indices that were made without their template: someone deleted everything, and a client wrote on before the templates were back. */
export const guessedIndices = defineFault<Found>({
  name: 'guessed-indices',
  title: 'indices by their templates',
  explainedBy: ['index-templates', 'disk-block'],
  async diagnose(context) {
    const answer = await askSearch(context, { path: '/_resolve/index/*?expand_wildcards=open', answer: indicesSchema })
    const names = (answer?.indices ?? []).filter((one) => one.data_stream === undefined).map(({ name }) => name)
    const { made, asides } = await madeWithout(context, names)
    const left = asides.length > 0 ? await leftIn(context) : new Map<string, string>()
    const aside = asides.filter((name) => !made.some((one) => one.name === name) && !left.has(asideOf(name)))
    if (made.length + aside.length === 0) {
      return left.size > 0
        ? { status: 'information', detail: [...left.values()].join('; ') }
        : { status: 'healthy', detail: 'none was made without its own' }
    }
    const problems = [
      ...(made.length > 0 ? [`indices were made without their template: ${namesOf(made).join(', ')}`] : []),
      ...(aside.length > 0 ? [`documents of ${aside.join(', ')} are still set aside`] : []),
    ]
    return {
      status: 'fault',
      problem: problems.join('; '),
      evidence: [
        ...made.slice(0, evidenceMax).map(evidenceOf),
        ...aside.map((name) => `${asideOf(name)} holds documents that a repair has not taken back yet`),
      ],
      meaning:
        'the types of their fields are guessed: dashboards, rules and searches that count by host or address fail',
      found: { made, aside },
    }
  },
  plan: (_context, { made, aside }) => [
    ...commandsOf(made, setAsideCommands),
    ...commandsOf([...made, ...aside.map((name) => ({ name }))], takeBackCommands),
  ],
  async repair({ stack }, { made, aside }, progress) {
    const search = stack.clients.search()
    // Without them the types would be guessed once more.
    await runStep(indexTemplatesStep, stack, progress)
    for (const one of made) await setAside(search, one, progress)
    for (const name of [...namesOf(made), ...aside]) await takeBack(search, name, progress)
  },
})

/** What is done of each; a wipe leaves dozens, so the commands are shown of the first. */
function commandsOf<T extends { readonly name: string }>(all: readonly T[], commands: (one: T) => string[]): string[] {
  const [first, ...rest] = all
  if (!first) return []
  return [...commands(first), ...(rest.length > 0 ? [`# the same for ${rest.map(({ name }) => name).join(', ')}`] : [])]
}

function setAsideCommands({ name, isStream }: MadeWithout): string[] {
  return [
    '# who writes meanwhile gets 429, and sends again',
    `PUT /${name}/_settings {"index.blocks.read_only_allow_delete": true}`,
    `POST /_reindex {"source": {"index": "${name}"}, "dest": {"index": "${asideOf(name)}"}}`,
    `DELETE /${name}`,
    isStream ? `PUT /_data_stream/${name}` : `PUT /${name}`,
  ]
}

function takeBackCommands({ name }: Pick<MadeWithout, 'name'>): string[] {
  return [
    `POST /_reindex {"source": {"index": "${asideOf(name)}"}, "dest": {"index": "${name}", "op_type": "create"}}`,
    `# when all of it was taken: DELETE /${asideOf(name)}`,
  ]
}

function namesOf(made: readonly MadeWithout[]): string[] {
  return made.map(({ name }) => name)
}

function evidenceOf({ name, isStream }: MadeWithout): string {
  return isStream ? `${name} is a plain index in the place of a data stream` : `${name} maps ${sign} as text`
}

/** Of plain indices those that their template would have made otherwise, and the names for which indices are set aside. */
async function madeWithout(
  context: DoctorContext,
  names: readonly string[],
): Promise<{ made: MadeWithout[]; asides: string[] }> {
  const templateOf = await templateOfName(context)
  const made = names.filter((name) => templateOf(name)?.makesStreams).map((name) => ({ name, isStream: true }))
  const plain = names.filter((name) => plainTemplates.includes(templateOf(name)?.name ?? ''))
  const guessed = plain.length > 0 ? await mappedAsText(context, plain) : []
  const asides = names.flatMap((index) => setAsideFor(index) ?? []).filter((name) => templateOf(name) !== undefined)
  return { made: [...made, ...guessed.map((name) => ({ name, isStream: false }))], asides }
}

async function mappedAsText(context: DoctorContext, plain: readonly string[]): Promise<string[]> {
  const path = `/endpoint-*,winlogbeat-*/_mapping/field/${sign}?ignore_unavailable=true&allow_no_indices=true`
  const found = (await askSearch(context, { path, answer: fieldSchema })) ?? {}
  return plain.filter((name) =>
    Object.values(found[name]?.mappings[sign]?.mapping ?? {}).some(({ type }) => type === 'text'),
  )
}

/** What is said of each index that was set aside and holds what was not taken back. */
async function leftIn(context: DoctorContext): Promise<Map<string, string>> {
  const found = (await askSearch(context, { path: `/${asideOf('*')}/_mapping`, answer: mappingsSchema })) ?? {}
  return new Map(
    Object.entries(found).flatMap(([index, { mappings }]) => {
      const left = mappings._meta?.left
      if (!left) return []
      const what = left.count === 1 ? 'a document' : `${left.count} documents`
      const said = `${index} keeps ${what} that ${setAsideFor(index)} refused: ${left.reason}`
      return [[index, `${said} (DELETE /${index} when nobody needs it)`] as const]
    }),
  )
}

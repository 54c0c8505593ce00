import { defineFault } from '../../doctor/define-fault.ts'
import { shippedLook } from '../../evidence/shipped-look.ts'
import { runStep } from '../../mending/run-step.ts'
import { endpointDashboards, type ShippedLook, searchDashboards } from '../../steps/dashboards.ts'
import type { ShippedFolder } from '../../steps/shipped-objects.ts'

const steps = { search: searchDashboards, endpoint: endpointDashboards } as const
const folders = Object.keys(steps) as ShippedFolder[]
const evidenceMax = 5

interface Lack extends ShippedLook {
  readonly folder: ShippedFolder
}

/** Shipped dashboards that were never imported, or are all gone. One that a user deleted stays deleted. */
export const dashboards = defineFault<readonly Lack[]>({
  name: 'dashboards',
  title: 'dashboards',
  explainedBy: ['mounts'],
  async diagnose(context) {
    const looked = await Promise.all(
      folders.map(async (folder) => ({ folder, ...(await shippedLook(context, folder)) })),
    )
    const lacks = looked.filter(({ missing }) => missing.length > 0)
    const count = looked
      .flatMap(({ present }) => [...present.keys()])
      .filter((key) => key.startsWith('dashboard/')).length
    if (lacks.length === 0) return { status: 'healthy', detail: `${count} present${keptWords(looked)}` }
    return {
      status: 'fault',
      problem: lacks.map(problemOf).join('; '),
      evidence: lacks.flatMap(evidenceOf),
      meaning: 'the page Dashboards is empty, or lacks what the guide shows',
      found: lacks,
    }
  },
  plan: (_context, lacks) =>
    lacks.flatMap(({ folder, missing }) => [
      `# Management, Stack Management, Saved Objects, Import: of dashboards/${folder}/*.ndjson, without overwriting:`,
      ...missing.map(({ key }) => `#   ${key}`),
    ]),
  async repair({ stack }, lacks, progress) {
    for (const { folder } of lacks) await runStep(steps[folder], stack, progress)
  },
})

function keptWords(looked: readonly Lack[]): string {
  const kept = looked.flatMap(({ kept }) => kept.map(({ key }) => key))
  if (kept.length === 0) return ''
  return `; changed here and therefore kept as they are, though newer ones are shipped: ${kept.join(', ')}`
}

function problemOf({ folder, present, missing }: Lack): string {
  if (![...present.keys()].some((key) => key.startsWith('dashboard/')))
    return `none of the shipped dashboards of ${folder} is there`
  return `${missing.length} of the shipped objects of ${folder} were never imported`
}

function evidenceOf({ folder, missing }: Lack): string[] {
  const more = missing.length - evidenceMax
  return [
    ...missing.slice(0, evidenceMax).map(({ key }) => `${folder}: ${key} is not in the dashboard`),
    ...(more > 0 ? [`${folder}: and ${more} more`] : []),
  ]
}

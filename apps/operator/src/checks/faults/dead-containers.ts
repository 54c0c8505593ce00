import { containerName, parts } from '@logstack/contracts'
import { runCommand } from '@logstack/process'
import { z } from 'zod'
import { type DoctorContext, defineFault } from '../../doctor/define-fault.ts'
import { startAll, startAllCommands } from '../../doctor/start-all.ts'
import { journalArgv } from '../../systemd/argv.ts'

/** A container that keeps a part from starting. */
interface Dead {
  readonly id: string
  readonly name: string
  readonly state: string
}

const listedSchema = z.array(
  z.object({
    Id: z.string(),
    Names: z.array(z.string()),
    State: z.string(),
    Labels: z.record(z.string(), z.string()).nullish(),
  }),
)
type Listed = z.infer<typeof listedSchema>[number]

const deadStates = ['created', 'configured', 'exited', 'stopped', 'dead', 'unknown']
const removeLimitMs = 30_000
const journalLines = 40

/** podman's words about a container that others were made to require; ids are 64 hexadecimal digits, sometimes shortened. */
export const dependentsPattern =
  /container ([0-9a-f]{12,64}) has dependent containers which must be removed before it: ([0-9a-f, ]+): container already exists/

/** Dead containers have the name of a part, or depend on one, so that the part's own cannot be made. */
export const deadContainers = defineFault<readonly Dead[]>({
  name: 'dead-containers',
  title: 'no dead containers',
  runtimes: ['podman'],
  async diagnose(context) {
    const all = await containers(context)
    if (!all) return { status: 'unknown', why: 'podman does not list its containers' }
    const units = await context.look.units()
    const inTheWay = all.filter(({ Names, State, Labels }) => {
      const part = parts.find((one) => Names.includes(containerName(one)))
      if (part === undefined || !deadStates.includes(State)) return false
      // systemd's own container of a part that starts or stops is between two states.
      const active = units.get(`${containerName(part)}.service`)?.active ?? ''
      return Labels?.['PODMAN_SYSTEMD_UNIT'] === undefined || !['active', 'activating', 'deactivating'].includes(active)
    })
    if (inTheWay.length === 0) return { status: 'healthy', detail: 'none has the name of a part' }
    const dead = [...(await dependentsOf(context, inTheWay, all)), ...inTheWay.map(named)]
    return {
      status: 'fault',
      problem: `dead containers keep ${inTheWay.map(({ Names }) => Names[0]).join(', ')} from starting`,
      evidence: [
        ...dead.map(({ id, name, state }) => `${name} (${id.slice(0, 12)}) is ${state}`),
        ...(await journalLinesOf(context, inTheWay)),
      ],
      meaning: 'systemd starts the part again and again, and podman refuses each time with exit code 125',
      found: dead,
    }
  },
  plan: ({ stack }, dead) => [
    ...dead.map(({ id, name }) => `podman rm --force --time 0 ${id.slice(0, 12)}   # ${name}`),
    ...startAllCommands(stack),
  ],
  async repair({ stack }, dead, progress) {
    // One after the other: podman removes the containers of one command side by side, dependents too.
    for (const { id } of dead) {
      await runCommand(['podman', 'rm', '--force', '--ignore', '--time', '0', id], { timeoutMs: removeLimitMs })
    }
    await startAll(stack, progress)
  },
})

async function containers({ look }: DoctorContext): Promise<Listed[] | undefined> {
  const result = await look.podman('ps', '--all', '--format', 'json')
  return result?.exitCode === 0 ? listedSchema.parse(JSON.parse(result.stdout)) : undefined
}

function named({ Id, Names, State }: Listed): Dead {
  return { id: Id, name: Names[0] ?? Id, state: State }
}

/** Everything that depends on the given containers, those that nothing depends on first: the order in which podman removes them. */
async function dependentsOf(context: DoctorContext, roots: readonly Listed[], all: readonly Listed[]): Promise<Dead[]> {
  const format = '{{.Id}} {{join .Dependencies ","}}'
  const result = await context.look.podman('container', 'inspect', '--format', format, ...all.map(({ Id }) => Id))
  const needs = new Map(
    (result?.stdout ?? '').split('\n').map((line) => [line.split(' ')[0] ?? '', (line.split(' ')[1] ?? '').split(',')]),
  )
  const order: Dead[] = []
  const visit = (id: string): void => {
    for (const other of all) {
      if (!needs.get(other.Id)?.includes(id) || order.some((one) => one.id === other.Id)) continue
      visit(other.Id)
      order.push(named(other))
    }
  }
  for (const { Id } of roots) visit(Id)
  return order.filter(({ id }) => !roots.some(({ Id }) => Id === id))
}

async function journalLinesOf({ look }: DoctorContext, dead: readonly Listed[]): Promise<string[]> {
  const lines = await Promise.all(
    parts
      .filter((part) => dead.some(({ Names }) => Names.includes(containerName(part))))
      .map(async (part) => {
        const journal = await look.command(...journalArgv(part, { lines: journalLines, follow: false }))
        return journal?.stdout.split('\n').findLast((line) => dependentsPattern.test(line))
      }),
  )
  return lines.filter((line) => line !== undefined)
}

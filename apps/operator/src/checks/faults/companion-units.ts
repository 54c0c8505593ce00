import { runCommand } from '@logstack/process'
import { type DoctorContext, defineFault } from '../../doctor/define-fault.ts'
import { parseUnitStates, type UnitState, unitStatesArgv } from '../../doctor/unit-states.ts'
import { host } from '../../places/host.ts'
import { keepPartsFromRunning } from './keep-parts-from-running.ts'

/** What looks after the stack beside it. */
interface Watcher {
  readonly unit: string
  /** What it starts, which runs for moments; of a service, itself. */
  readonly service: string
  /** What becomes of the stack without it. */
  readonly without: string
}

const watchers: readonly Watcher[] = [
  {
    unit: host.doctorTimer,
    service: 'logstack-doctor.service',
    without: 'doctor does not look by itself any more',
  },
  {
    unit: host.certsTimer,
    service: 'logstack-certs.service',
    without: 'certificates are not renewed before they end',
  },
  {
    unit: host.passwordPath,
    service: 'logstack-password.service',
    without: 'a password that is reset inside search is not stored',
  },
  { unit: host.agentUnit, service: host.agentUnit, without: "this host's own events do not arrive" },
]

interface Idle {
  readonly unit: string
  /** Whether its last run failed: then its journal says why. */
  readonly isFailed: boolean
  readonly problem: string
  readonly without: string
  readonly commands: readonly (readonly string[])[]
}

const systemctlLimitMs = 300_000
const journalLines = 3

/** Units beside the stack are stopped, not started at boot, or failed: timers, the watch for passwords, the host's own agent. */
export const companionUnits = defineFault<readonly Idle[]>({
  name: 'companion-units',
  title: 'timers and companions',
  runtimes: ['podman'],
  // What they do fails for the same reasons as the parts. But one that does not run is why passwords are not settled, not the other way
  // round.
  explainedBy: keepPartsFromRunning.filter((name) => !/-passwords?$/.test(name)),
  async diagnose(context) {
    const states = await statesOf(context)
    if (!states) return { status: 'unknown', why: 'systemd does not tell the states of units' }
    const idle = companionTroubles(states)
    if (idle.length === 0) return { status: 'healthy', detail: `${watchers.length} run` }
    return {
      status: 'fault',
      problem: idle.map(({ problem }) => problem).join('; '),
      evidence: [...idle.map(({ problem }) => problem), ...(await journalOf(context, idle))],
      meaning: [...new Set(idle.map(({ without }) => without))].join('; '),
      found: idle,
    }
  },
  plan: (_context, idle) => idle.flatMap(({ commands }) => commands.map((argv) => argv.join(' '))),
  async repair(_context, idle) {
    for (const argv of idle.flatMap(({ commands }) => commands)) await runCommand(argv, { timeoutMs: systemctlLimitMs })
  },
})

async function statesOf({ look }: DoctorContext): Promise<ReadonlyMap<string, UnitState> | undefined> {
  const names = [...new Set([host.stackUnit, ...watchers.flatMap(({ unit, service }) => [unit, service])])]
  const result = await look.command(...unitStatesArgv(names))
  return result?.exitCode === 0 ? parseUnitStates(result.stdout) : undefined
}

/** What is wrong with them by the states of their units. */
export function companionTroubles(states: ReadonlyMap<string, UnitState>): Idle[] {
  return [
    ...watchers.flatMap((watcher) => idleOf(watcher, states)),
    ...watchers.flatMap((watcher) => failedOf(watcher, states)),
  ]
}

// A timer, a watch or a service that shall always run. A host without its own agent has none.
function idleOf({ unit, without }: Watcher, states: ReadonlyMap<string, UnitState>): Idle[] {
  const state = states.get(unit)
  // A unit that systemd does not know is another check's finding, or was left out on purpose.
  if (state?.load !== 'loaded' || states.get(host.stackUnit)?.active !== 'active') return []
  const isOff = !['active', 'activating', 'reloading'].includes(state.active) && state.active !== 'failed'
  const isDisabled = state.file === 'disabled'
  if (!isOff && !isDisabled) return []
  return [
    {
      unit,
      isFailed: false,
      problem: isOff ? `${unit} is ${state.active}` : `${unit} does not start with the host (${state.file})`,
      without,
      commands: [['systemctl', ...(isDisabled ? ['enable', '--now'] : ['start']), unit]],
    },
  ]
}

function failedOf({ service, without }: Watcher, states: ReadonlyMap<string, UnitState>): Idle[] {
  const state = states.get(service)
  if (state?.active !== 'failed') return []
  return [
    {
      unit: service,
      isFailed: true,
      problem: `${service} failed (${state.result})`,
      without,
      commands: [
        ['systemctl', 'reset-failed', service],
        // Not waited for: it may itself wait for the lock that this repair holds.
        ['systemctl', 'start', '--no-block', service],
      ],
    },
  ]
}

async function journalOf({ look }: DoctorContext, idle: readonly Idle[]): Promise<string[]> {
  const said = await Promise.all(
    idle
      .filter(({ isFailed }) => isFailed)
      .map(async ({ unit }) => {
        const words = [
          'journalctl',
          `--unit=${unit}`,
          `--lines=${journalLines}`,
          '--output=cat',
          '--quiet',
          '--no-pager',
        ]
        const lines = (await look.command(...words))?.stdout.split('\n').filter((line) => line.trim() !== '') ?? []
        return lines.map((line) => `${unit}: ${line}`)
      }),
  )
  return said.flat()
}

import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { containerName } from '@logstack/contracts'
import { isAppError } from '@logstack/errors'
import { runCommand } from '@logstack/process'
import { type DoctorContext, defineFault } from '../../doctor/define-fault.ts'
import { Observations } from '../../doctor/observations.ts'
import { startAll, startAllCommands } from '../../doctor/start-all.ts'
import type { UnitState } from '../../doctor/unit-states.ts'
import { host } from '../../places/host.ts'
import { writeFileAtomically } from '../../places/write-file.ts'
import { parseUnitFile } from '../../quadlet/unit-file.ts'
import { searchIsRemote } from '../../stack.ts'
import { definitionsOf } from '../../steps/host/definitions.ts'

/** One thing that is wrong with the definitions or what systemd made of them. */
interface Wrong {
  readonly problem: string
  readonly commands: readonly string[]
  mend(): Promise<void> | void
}

const generatorArgv = ['/usr/lib/systemd/system-generators/podman-system-generator', '--dryrun']
const systemctlLimitMs = 60_000
const ownSearchUnit = `${containerName('search')}.service`
const looksMax = 5
/** Appended to the name of what is set aside: neither quadlet nor systemd reads a file of this name. */
const asideEnding = '.broken'

/** Definitions and units are missing, cannot be read, or are not known to systemd. An edited definition is worth a line, and stays. */
export const units = defineFault<readonly Wrong[]>({
  name: 'units',
  title: 'definitions and units',
  runtimes: ['podman'],
  explainedBy: ['container-runtime'],
  async diagnose(context) {
    const { paths } = context.stack
    const wrong = [...wrongFiles(paths.programDir), ...wrongLink(), ...(await wrongUnits(context))]
    if (wrong.length > 0) {
      return {
        status: 'fault',
        problem: wrong.map(({ problem }) => problem).join('; '),
        evidence: wrong.flatMap(({ problem, commands }) => [
          problem,
          ...commands.filter((line) => line.startsWith('#')),
        ]),
        meaning: 'a part whose unit is not there runs on, and never starts again',
        found: wrong,
      }
    }
    const edited = definitionsOf(paths.programDir).filter(
      ({ from, to }) => readFileSync(to, 'utf8') !== readFileSync(from, 'utf8'),
    )
    const states = [...(await context.look.units()).values()]
    const changed = [...edited.map(({ to }) => to), ...dropInsOf(states)]
    const instead = insteadOf(states)
    if (changed.length + instead.length === 0) return { status: 'healthy', detail: 'as they were shipped' }
    const waits = states.some(({ needsReload }) => needsReload)
    const notes = [
      ...(changed.length > 0 ? [`${changed.join(', ')} edited here`] : []),
      ...(instead.length > 0
        ? [`${instead.join(', ')} stands in place of the definition: neither edits of that nor upgrades take effect`]
        : []),
      ...(waits ? ['takes effect after: systemctl daemon-reload && systemctl restart logstack.service'] : []),
    ]
    return { status: 'information', detail: notes.join('; ') }
  },
  plan: ({ stack }, wrong) => [
    ...wrong.flatMap(({ commands }) => commands.filter((line) => !line.startsWith('#'))),
    'systemctl daemon-reload',
    ...startAllCommands(stack),
  ],
  async repair({ stack }, wrong, progress) {
    for (const { mend } of wrong) await mend()
    // A file that cannot be read hides what quadlet would refuse in others: it then makes no unit at all.
    for (let look = 0; look < looksMax; look += 1) {
      const refused = await refusedFiles({ look: new Observations(stack), stack })
      for (const { mend } of refused) await mend()
      if (refused.length === 0) break
    }
    await systemctl('daemon-reload')
    await systemctl('enable', host.stackUnit)
    await startAll(stack, progress)
  },
})

function dropInsOf(states: readonly UnitState[]): string[] {
  return [...new Set(states.flatMap(({ edits }) => edits.filter((path) => path.endsWith('.conf'))))]
}

// The unit on top is no generated one: that is where it lies.
function insteadOf(states: readonly UnitState[]): string[] {
  const generated = states.filter(({ name }) => name !== host.stackUnit)
  return generated.flatMap(({ edits }) => edits.filter((path) => !path.endsWith('.conf')))
}

async function systemctl(...words: string[]): Promise<void> {
  await runCommand(['systemctl', ...words], { timeoutMs: systemctlLimitMs })
}

function wrongFiles(programDir: string): Wrong[] {
  return definitionsOf(programDir).flatMap(({ from, to }) => {
    const file = wrongFile(from, to)
    return [...(file ? [file] : []), ...wrongDropIns(to)]
  })
}

function wrongFile(from: string, to: string): Wrong | undefined {
  const problem = fileProblem(to)
  if (problem === undefined) return undefined
  const isThere = lstatSync(to, { throwIfNoEntry: false }) !== undefined
  return {
    problem,
    commands: [...(isThere ? [`mv ${to} ${to}${asideEnding}`] : []), `cp ${from} ${to}`],
    mend() {
      if (isThere) renameSync(to, to + asideEnding)
      mkdirSync(dirname(to), { recursive: true })
      writeFileAtomically(to, readFileSync(from, 'utf8'))
    },
  }
}

// A drop-in is the user's: what cannot be read is set aside, never deleted.
function wrongDropIns(definition: string): Wrong[] {
  const folder = `${definition}.d`
  if (!existsSync(folder)) return []
  return readdirSync(folder)
    .filter((name) => name.endsWith('.conf'))
    .map((name) => join(folder, name))
    .flatMap((file) => {
      const problem = fileProblem(file)
      if (problem === undefined) return []
      return [
        { problem, commands: [`mv ${file} ${file}${asideEnding}`], mend: () => renameSync(file, file + asideEnding) },
      ]
    })
}

/** What makes a definition unusable, with its line; undefined for one that can be read. */
function fileProblem(file: string): string | undefined {
  if (!existsSync(file)) return `${file} is missing`
  const text = readFileSync(file, 'utf8')
  try {
    const { assignments } = parseUnitFile(text, file)
    return assignments.length === 0 ? `${file} is empty` : undefined
  } catch (thrown) {
    if (isAppError(thrown)) return thrown.message
    throw thrown
  }
}

function wrongLink(): Wrong[] {
  const { quadletLink: link, quadletDir } = host
  const stat = lstatSync(link, { throwIfNoEntry: false })
  if (stat?.isSymbolicLink() && readlinkSync(link) === quadletDir) return []
  return [
    {
      problem: `${link} is no link to ${quadletDir}`,
      commands: [`ln -sfn ${quadletDir} ${link}`],
      mend() {
        if (stat) rmSync(link, { recursive: stat.isSymbolicLink(), force: true })
        symlinkSync(quadletDir, link)
      },
    },
  ]
}

/** What systemd does not know as it should, and the files that explain it. */
async function wrongUnits({ look, stack }: DoctorContext): Promise<Wrong[]> {
  const [states, refused] = await Promise.all([look.units(), refusedFiles({ look, stack })])
  const isRemote = searchIsRemote(stack)
  return [
    ...refused,
    ...[...states.values()].flatMap((state) =>
      isRemote && state.name === ownSearchUnit ? wrongSearchUnit(state) : wrongUnit(state),
    ),
  ]
}

/** Files that can be read and still make no unit, by what quadlet's dry run says of them. */
async function refusedFiles({ look, stack }: Pick<DoctorContext, 'look' | 'stack'>): Promise<Wrong[]> {
  const dryRun = await look.command(...generatorArgv)
  const refused = refusedByQuadlet(dryRun?.stderr ?? '')
  return definitionsOf(stack.paths.programDir)
    .filter(({ to }) => refused.has(basename(to)) && fileProblem(to) === undefined)
    .map(({ from, to }): Wrong => {
      const problem = `quadlet refuses ${to}: ${refused.get(basename(to))}`
      return {
        problem,
        commands: [`mv ${to} ${to}${asideEnding}`, `cp ${from} ${to}`],
        mend() {
          renameSync(to, to + asideEnding)
          writeFileAtomically(to, readFileSync(from, 'utf8'))
        },
      }
    })
}

/** Where a cluster stands in search's place its unit is masked, so that nothing starts it. */
function wrongSearchUnit({ name, load }: UnitState): Wrong[] {
  if (load === 'masked') return []
  return [
    {
      problem: `${name} is not masked, though a cluster stands in search's place`,
      commands: [`systemctl mask --now ${name}`],
      mend: () => systemctl('mask', '--now', name),
    },
  ]
}

function wrongUnit({ name, load, file }: UnitState): Wrong[] {
  if (load === 'masked') {
    return [
      { problem: `${name} is masked`, commands: [`systemctl unmask ${name}`], mend: () => systemctl('unmask', name) },
    ]
  }
  if (load !== 'loaded')
    return [{ problem: `systemd does not know ${name} (${load})`, commands: [], mend: () => undefined }]
  if (name === host.stackUnit && file !== 'enabled') {
    return [
      {
        problem: `${name} does not start with the host (${file})`,
        commands: [`systemctl enable ${name}`],
        mend: () => undefined,
      },
    ]
  }
  return []
}

/** What quadlet's dry run says against definitions, by the file's name. */
export function refusedByQuadlet(stderr: string): Map<string, string> {
  const lines = [...stderr.matchAll(/converting "([^"]+)": (.+)$/gm)]
  return new Map(lines.map(([, name = '', reason = '']) => [name, reason]))
}

import { copyFileSync, existsSync, readFileSync, renameSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { type PartName, parts } from '@logstack/contracts'
import { type DoctorContext, defineFault } from '../../doctor/define-fault.ts'
import { partTroubles } from '../../doctor/part-troubles.ts'
import { startAll, startAllCommands } from '../../doctor/start-all.ts'
import { loadDefinitions } from '../../quadlet/load.ts'
import { childSpecOf } from '../../runtimes/process/child-spec.ts'
import { journalArgv } from '../../systemd/argv.ts'
import { yamlProblem } from '../../telling/yaml-problem.ts'

interface BrokenSettings {
  readonly part: PartName
  readonly file: string
  readonly shipped: string
  readonly problem: string
}

/** Appended to the name of a file that is set aside. */
const asideEnding = '.broken'
const journalLines = 60

/** A part's settings file is no YAML, or holds what the part refuses to start with. */
export const configuration = defineFault<readonly BrokenSettings[]>({
  name: 'configuration',
  title: 'settings of parts',
  explainedBy: ['units'],
  limitMs: 9_000,
  async diagnose(context) {
    const broken = await brokenSettings(context)
    if (broken.length === 0) return { status: 'healthy', detail: `${parts.length} files can be read` }
    return {
      status: 'fault',
      problem: broken.map(({ file, problem }) => (problem.includes(file) ? problem : `${file}: ${problem}`)).join('; '),
      evidence: broken.map(({ part, problem }) => `${part} says: ${problem}`),
      meaning: `${broken.map(({ part }) => part).join(', ')} does not start with these settings`,
      found: broken,
    }
  },
  plan: ({ stack }, broken) => [
    '# mend the file by hand, or take the settings of the shipped file and put yours back one by one:',
    ...broken.flatMap(({ file, shipped }) => [`mv ${file} ${file}${asideEnding}`, `cp ${shipped} ${file}`]),
    ...startAllCommands(stack),
  ],
  async repair({ stack }, broken, progress) {
    for (const { file, shipped } of broken) {
      renameSync(file, file + asideEnding)
      copyFileSync(shipped, file)
    }
    await startAll(stack, progress)
  },
})

async function brokenSettings(context: DoctorContext): Promise<BrokenSettings[]> {
  const { paths } = context.stack
  const troubled = new Set((await partTroubles(context))?.map(({ part }) => part))
  const found = await Promise.all(
    parts.map(async (part): Promise<BrokenSettings | undefined> => {
      const file = join(paths.configDir, `${part}.yml`)
      const shipped = join(paths.programDir, 'config', `${part}.yml`)
      if (!existsSync(file) || !existsSync(shipped)) return undefined
      // A part that runs has read its settings; only one that does not is asked what it says of them.
      const problem =
        yamlProblem(file, readFileSync(file, 'utf8')) ??
        (troubled.has(part) ? await refusedBy(context, part, file) : undefined)
      return problem === undefined ? undefined : { part, file, shipped, problem }
    }),
  )
  return found.filter((one) => one !== undefined)
}

/**
 * What a part says of its settings, when it refuses them: in the journal since the file is as it is (what it said before may be mended), else
 * when it is asked.
 */
async function refusedBy(context: DoctorContext, part: PartName, file: string): Promise<string | undefined> {
  const { look, stack } = context
  if (stack.runtime.kind !== 'podman') return askPart(context, part)
  // The time of the last change of any kind: a file that is moved back keeps the time of its content.
  const sinceMs = statSync(file).ctimeMs
  const journal = await look.command(...journalArgv(part, { lines: journalLines, follow: false, sinceMs }))
  return refusalIn(journal?.stdout ?? '', part) ?? askPart(context, part)
}

/** The newest words in a part's log about its settings file: `…/alerter.yml:48: unknown setting [x]`; undefined when it has none. */
export function refusalIn(log: string, part: PartName): string | undefined {
  const pattern = new RegExp(`[^\\s"]*/${part}\\.yml(?::\\d+)?: .+`)
  const words = log.split('\n').flatMap((line) => pattern.exec(messageIn(line))?.[0] ?? [])
  return words
    .at(-1)
    ?.replace(/ \(mend the file.*$/, '')
    .trim()
}

/** The message of a line that a part logged, as it stands where it is none. */
function messageIn(line: string): string {
  try {
    const { msg } = JSON.parse(line) as { msg?: unknown }
    return typeof msg === 'string' ? msg : line
  } catch (thrown) {
    if (thrown instanceof SyntaxError) return line
    throw thrown
  }
}

// The programs of the operator's folder are those of the image, and read the same files.
async function askPart({ look, stack }: DoctorContext, part: PartName): Promise<string | undefined> {
  const { paths, ports } = stack
  const definition = loadDefinitions(paths).get(part)
  if (!definition) return undefined
  const spec = childSpecOf(definition, { paths, ports, secretsDir: paths.runDir })
  const variables = Object.entries(spec.env).flatMap(([name, value]) =>
    name === 'LOGSTACK_READY_FILE' ? [] : [`${name}=${value}`],
  )
  const result = await look.command('env', ...variables, ...spec.argv, '--check-settings')
  if (!result || result.exitCode === 0) return undefined
  return refusalIn(`${result.stdout}\n${result.stderr}`, part)
}

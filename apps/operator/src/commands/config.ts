import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { containerName, type PartName, parts } from '@logstack/contracts'
import { AppError, isAppError, operatorErrors } from '@logstack/errors'
import { runCommand } from '@logstack/process'
import type { Command } from 'commander'
import { loadDefinition } from '../quadlet/load.ts'
import { childSpecOf } from '../runtimes/process/child-spec.ts'
import { lastWords } from '../runtimes/process/log-file.ts'
import type { Stack } from '../stack.ts'
import { yamlProblem } from '../telling/yaml-problem.ts'
import { type CommandContext, type RegisterCommand, stackOf } from './command.ts'
import { requireSetUp } from './require-set-up.ts'

const partTimeoutMs = 30_000

/** `logstack config check`: every definition and every settings file can be read; each part is asked about its own settings. */
export const registerConfig: RegisterCommand = (program, context) => {
  program
    .command('config')
    .description('settings')
    .command('check')
    .description('check every settings file and container definition')
    .addHelpText('after', '\nExample:\n  logstack config check')
    .action(async (_options: unknown, command: Command) => {
      const stack = stackOf(command, context)
      requireSetUp(stack.paths.root)
      const problems = await problemsOf(stack, context)
      const [first, ...others] = problems
      if (!first) return
      for (const problem of others) context.tell(`logstack: ${problem.message}\n  fix: ${problem.fix ?? ''}`)
      throw first
    })
}

/** Every problem of the settings files and definitions; says which parts have none. */
async function problemsOf(stack: Stack, context: CommandContext): Promise<AppError[]> {
  const { paths } = stack
  const files = readdirSync(paths.configDir).filter((file) => file.endsWith('.yml'))
  const broken = files.flatMap((name) => yamlErrorOf(join(paths.configDir, name)))
  const found: AppError[] = [...broken]
  for (const part of parts) {
    // A part cannot say more of a file that is no YAML.
    if (broken.some((problem) => problem.message.startsWith(join(paths.configDir, `${part}.yml`)))) continue
    const problem = await problemOfPart(stack, part)
    if (problem) found.push(problem)
    else context.say(`ok      ${part}`)
  }
  return found
}

/** What is wrong with a part's definition or settings. The part knows its settings: given `--check-settings` it reads them and ends. */
async function problemOfPart(stack: Stack, part: PartName): Promise<AppError | undefined> {
  const { paths, ports } = stack
  let file = join(paths.quadletDir, `${containerName(part)}.container`)
  try {
    const definition = loadDefinition(paths, part)
    // Also for containers: the programs of this folder are those of the image, and read the same files.
    const spec = childSpecOf(definition, { paths, ports, secretsDir: paths.runDir })
    file = spec.env['LOGSTACK_CONFIG_FILE'] ?? file
    const env = { ...spec.env, LOGSTACK_READY_FILE: undefined }
    await runCommand([...spec.argv, '--check-settings'], { timeoutMs: partTimeoutMs, env })
    return undefined
  } catch (thrown) {
    if (!isAppError(thrown)) throw thrown
    return thrown.code === operatorErrors.definition_invalid.code ? thrown : problemOf(part, file, thrown)
  }
}

function problemOf(part: string, file: string, thrown: AppError): AppError {
  const said = thrown.detail['stderr']
  // A part that checks its settings says what it would say at a start: here the fix stands below.
  const words =
    typeof said === 'string'
      ? lastWords(said.split('\n'))
          ?.replace(/^cannot start: /, '')
          .replace(/ \(mend the file[^)]*\)$/, '')
      : undefined
  return new AppError(operatorErrors.option_invalid, `${part}: ${words ?? thrown.message}`, {
    cause: thrown,
    fix: `mend ${file}`,
  })
}

function yamlErrorOf(file: string): AppError[] {
  const problem = yamlProblem(file, readFileSync(file, 'utf8'))
  return problem === undefined ? [] : [new AppError(operatorErrors.option_invalid, problem, { fix: `mend ${file}` })]
}

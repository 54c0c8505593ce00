import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { AppError, isAppError, operatorErrors } from '@logstack/errors'
import { runCommand } from '@logstack/process'
import type { Command } from 'commander'
import { LineCounter, parseDocument } from 'yaml'
import { loadDefinitions } from '../quadlet/load.ts'
import { childSpecOf } from '../runtimes/process/child-spec.ts'
import { lastWords } from '../runtimes/process/log-file.ts'
import type { Stack } from '../stack.ts'
import { type CommandContext, embeddedStackOf, type RegisterCommand } from './command.ts'

const partTimeoutMs = 30_000

/** `logstack config check`: every definition and every settings file can be read; each part is asked about its own settings. */
export const registerConfig: RegisterCommand = (program, context) => {
  program
    .command('config')
    .description('settings')
    .command('check')
    .description('check every settings file and container definition')
    .action(async (_options: unknown, command: Command) => checkConfig(embeddedStackOf(command, context), context))
}

async function checkConfig(stack: Stack, context: CommandContext): Promise<void> {
  const { paths, ports } = stack
  for (const name of readdirSync(paths.configDir).filter((file) => file.endsWith('.yml'))) {
    checkYaml(join(paths.configDir, name))
  }
  for (const [part, definition] of loadDefinitions(paths)) {
    // The part knows its settings; given this argument it reads them and ends.
    const spec = childSpecOf(definition, { paths, ports, secretsDir: paths.runDir })
    const env = { ...spec.env, LOGSTACK_READY_FILE: undefined }
    try {
      await runCommand([...spec.argv, '--check-settings'], { timeoutMs: partTimeoutMs, env })
    } catch (thrown) {
      if (!isAppError(thrown)) throw thrown
      throw problemOf(part, spec.env['LOGSTACK_CONFIG_FILE'] ?? part, thrown)
    }
    context.say(`ok      ${part}`)
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

function checkYaml(file: string): void {
  const problem = yamlProblem(file, readFileSync(file, 'utf8'))
  if (problem !== undefined) throw new AppError(operatorErrors.option_invalid, problem, { fix: `mend ${file}` })
}

/** What makes a text no YAML, in one line with the file's name and the line's number; undefined when nothing does. */
export function yamlProblem(file: string, text: string): string | undefined {
  const lineCounter = new LineCounter()
  const [error] = parseDocument(text, { lineCounter, prettyErrors: false, uniqueKeys: true }).errors
  return error && `${file}:${lineCounter.linePos(error.pos[0]).line}: ${error.message}`
}

import { type Command, InvalidArgumentError } from 'commander'
import { parsePart } from '../runtimes/start-order.ts'
import { type RegisterCommand, stackOf } from './command.ts'
import { renderLogLine } from './render-log.ts'
import { requireSetUp } from './require-set-up.ts'

interface LogsOptions {
  readonly follow?: boolean
  readonly json?: boolean
  readonly lines: number
}

const defaultLines = 100

/** `logstack logs PART`: what a part wrote. */
export const registerLogs: RegisterCommand = (program, context) => {
  program
    .command('logs')
    .argument('<part>', 'search, dashboard, endpoint-manager, agent-server or alerter')
    .description('show what a part wrote')
    .option('-f, --follow', 'go on with new lines until Ctrl-C')
    .option('--json', 'the lines as the part wrote them, one JSON object each')
    .option('-n, --lines <n>', 'how many of the last lines', lineCount, defaultLines)
    .addHelpText(
      'after',
      '\nExamples:\n  logstack logs search\n  logstack logs alerter --follow\n  logstack logs dashboard --json --lines 1000',
    )
    .action(async (name: string, options: LogsOptions, command: Command) => {
      const part = parsePart(name)
      const stack = stackOf(command, context)
      requireSetUp(stack.paths.root)
      const stopping = new AbortController()
      process.once('SIGINT', () => stopping.abort())
      const { lines, follow = false } = options
      for await (const line of stack.runtime.logs(part, { lines, follow, signal: stopping.signal })) {
        if (options.json || line !== '') context.say(options.json ? line : renderLogLine(line))
      }
    })
}

function lineCount(text: string): number {
  if (!/^\d+$/.test(text)) throw new InvalidArgumentError('it must be a whole number')
  return Number(text)
}

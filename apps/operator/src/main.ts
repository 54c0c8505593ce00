import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { errorKinds, isAppError, messageOf } from '@logstack/errors'
import { Command } from 'commander'
import type { CommandContext, GlobalOptions } from './commands/command.ts'
import { commands } from './commands/index.ts'
import { explainUsageErrors } from './help/usage-errors.ts'
import { host } from './places/host.ts'
import { productVersion } from './places/product-version.ts'
import { systemRefusal } from './places/system-refusal.ts'
import { printable } from './telling/printable.ts'
import { renderFix } from './telling/render-fix.ts'

// What is private is made so wherever it is written. What the parts' users and everybody read (the programs in the image, settings, the
// authority's certificate) must not be closed by the shell of a hardened host (umask 077), nor opened for writing by a careless one (000).
process.umask(0o022)

let hasAnswered = false
const context: CommandContext = {
  // The built program lies in dist/ of the checkout.
  programDir: dirname(dirname(fileURLToPath(import.meta.url))),
  env: process.env,
  say: (line) => {
    hasAnswered = true
    process.stdout.write(`${printable(line, process.stdout)}\n`)
  },
  tell: (line) => void process.stderr.write(`${printable(line, process.stderr)}\n`),
}

const program = new Command('logstack')
  .description('Self-hosted log management: starts, verifies and looks after the stack')
  .version(productVersion)
  .option('--data <dir>', 'data directory of the stack (default: $LOGSTACK_DATA, else ~/.local/share/logstack)')
for (const register of commands) register(program, context)
explainUsageErrors(program, (fix) => renderFix(fix, { onHost: context.programDir === host.programDir }))
// Asked for nothing, it says what it can do; commander alone would call that a mistake.
if (process.argv.length <= 2) process.argv.push('--help')

// A reader that goes away (`logstack logs search | head`) ends the command, not with an error.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') context.tell(`logstack: the answer cannot be written: ${error.message}`)
  process.exit(error.code === 'EPIPE' ? 0 : 1)
})
// Words about the work may have lost their reader, too: that ends no work.
process.stderr.on('error', () => undefined)

async function run(): Promise<void> {
  try {
    await program.parseAsync()
  } catch (raw) {
    const thrown = systemRefusal(raw) ?? raw
    const place = { dataDir: program.opts<GlobalOptions>().data, onHost: context.programDir === host.programDir }
    const fix = isAppError(thrown) && thrown.fix ? renderFix(thrown.fix, place) : undefined
    context.tell(`logstack: ${messageOf(thrown)}`)
    if (fix !== undefined) context.tell(`  fix: ${fix}`)
    if (!isAppError(thrown) && thrown instanceof Error) context.tell(thrown.stack ?? '')
    // A script that asked for JSON reads why there is no answer.
    if (process.argv.includes('--json') && !hasAnswered) {
      const code = isAppError(thrown) ? thrown.code : 'internal_error'
      const error = { code, message: messageOf(thrown), ...(fix === undefined ? {} : { fix }) }
      context.say(JSON.stringify({ ok: false, error }, undefined, 2))
    }
    process.exitCode = isAppError(thrown) ? errorKinds[thrown.kind].exitCode : errorKinds.internal.exitCode
  }
}

void run()

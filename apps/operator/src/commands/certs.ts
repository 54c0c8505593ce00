import { type PartName, parts } from '@logstack/contracts'
import { AppError, operatorErrors } from '@logstack/errors'
import type { Command } from 'commander'
import { importCertificate, importingParts, removeImported } from '../certificates/import.ts'
import { type RenewedLeaf, renewLeafs } from '../certificates/leafs.ts'
import { reloadCertificates } from '../certificates/reload.ts'
import { type ShownCertificate, showCertificates } from '../certificates/show.ts'
import { lockWaits, takeLockWhenFree } from '../lock/lock-when-free.ts'
import { readGivenFile } from '../places/given-file.ts'
import { parsePart } from '../runtimes/start-order.ts'
import type { Stack } from '../stack.ts'
import { type CommandContext, type RegisterCommand, stackOf } from './command.ts'

interface ImportOptions {
  readonly cert?: string
  readonly key?: string
  readonly part: string
  readonly name?: string
  readonly remove?: boolean
}

/** `logstack certs show|renew|import`: the certificates of the parts. */
export const registerCerts: RegisterCommand = (program, context) => {
  const certs = program.command('certs').description('the certificates of the parts')
  certs
    .command('show')
    .description('each certificate, until when it is valid, and what is wrong with it')
    .option('--json', 'as JSON')
    .action((options: { json?: boolean }, command: Command) => {
      const shown = showCertificates(stackOf(command, context))
      if (options.json) context.say(JSON.stringify(shown, null, 2))
      else for (const certificate of shown) for (const line of linesOf(certificate)) context.say(line)
    })
  certs
    .command('renew')
    .argument('[part...]', 'whose; all without it')
    .option('--if-needed', 'only those that are wrong or end within 30 days')
    .description('issue certificates anew under the same authority, and show them without an interruption')
    .action(async (named: string[], options: { ifNeeded?: boolean }, command: Command) => {
      const wanted = named.length === 0 ? parts : named.map(parsePart)
      await locked(stackOf(command, context), (stack) => renew(stack, context, wanted, options.ifNeeded !== true))
    })
  certs
    .command('import')
    .description('show a certificate of your own to those who ask for its names')
    .option('--cert <file>', 'the certificate, and after it those that signed it (PEM)')
    .option('--key <file>', 'its private key (PEM, without a passphrase)')
    .option('--part <part>', `who shows it: ${importingParts.join(' or ')}`, 'dashboard')
    .option('--name <name>', 'the name people use for this host, if it is not its own')
    .option('--remove', 'take it away again')
    .addHelpText(
      'after',
      '\nExample:\n  logstack certs import --cert fullchain.pem --key privkey.pem --name logs.example.org',
    )
    .action(async (options: ImportOptions, command: Command) => {
      await locked(stackOf(command, context), (stack) => importOrRemove(stack, context, options))
    })
}

/** Timers run these commands too: they wait for their turn. */
async function locked(stack: Stack, work: (stack: Stack) => Promise<void>): Promise<void> {
  const lock = await takeLockWhenFree(stack.paths.lockFile, 'logstack certs', lockWaits.unitMs)
  try {
    await work(stack)
  } finally {
    lock.release()
    stack.clients.close()
  }
}

async function renew(
  stack: Stack,
  context: CommandContext,
  wanted: readonly PartName[],
  force: boolean,
): Promise<void> {
  const renewed = await renewLeafs(stack, { parts: wanted, force })
  for (const leaf of renewed) context.say(renewedLine(leaf))
  if (renewed.length === 0) context.say('all certificates are right, nothing to do')
  const { reloaded, restarted } = await reloadCertificates(
    stack,
    renewed.map(({ part }) => part),
  )
  if (reloaded.length > 0) context.say(`in use without an interruption: ${reloaded.join(', ')}`)
  if (restarted.length > 0) context.say(`in use after a restart: ${restarted.join(', ')}`)
  for (const { of, problem } of showCertificates(stack)) {
    if (of.endsWith('(imported)') && problem) context.tell(`the certificate of ${of} ${problem}: import a new one`)
  }
}

function renewedLine({ part, reason, notAfter }: RenewedLeaf): string {
  const why = reason === 'was asked for' ? '' : `: it ${reason}`
  return `renewed the certificate of ${part}, valid until ${notAfter.toISOString().slice(0, 10)}${why}`
}

async function importOrRemove(stack: Stack, context: CommandContext, options: ImportOptions): Promise<void> {
  const part = parsePart(options.part)
  if (options.remove) {
    const was = await removeImported(stack, part)
    context.say(
      was ? `${part} shows the stack's own certificate to everyone again` : `${part} has no imported certificate`,
    )
    return
  }
  const { names, notAfter } = await importCertificate(stack, part, {
    chain: readGiven(options.cert, '--cert', 'the certificate, and after it those that signed it (PEM)'),
    key: readGiven(options.key, '--key', 'its private key (PEM, without a passphrase)'),
    ...(options.name === undefined ? {} : { name: options.name }),
  })
  context.say(
    `${part} shows it to clients that ask for ${names.join(', ')}, until ${notAfter.toISOString().slice(0, 10)}`,
  )
  context.say('everyone else, agents and the other parts too, gets the certificate of the stack as before')
}

function readGiven(file: string | undefined, option: string, holds: string): string {
  if (file === undefined) {
    throw new AppError(operatorErrors.option_invalid, `${option} is missing`, { fix: 'logstack certs import --help' })
  }
  return readGivenFile(file, { named: option, holds })
}

function linesOf({ of, file, notAfter, daysLeft, names, problem }: ShownCertificate): string[] {
  const until = notAfter === undefined ? '' : `until ${notAfter.slice(0, 10)} (${daysLeft} days)`
  const state = problem === undefined ? 'ok' : `WRONG: it ${problem}`
  return [
    `${of.padEnd(22)} ${until.padEnd(31)} ${state}`,
    `  ${file}`,
    ...(names.length > 0 ? [`  for ${names.join(', ')}`] : []),
  ]
}

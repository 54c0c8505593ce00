import { isIP } from 'node:net'
import { AppError, operatorErrors } from '@logstack/errors'
import { checkHost, earlierInstallation } from '../checks/preflight/host-requirements.ts'
import { activeFirewall } from '../firewall/index.ts'
import { look, openingOf } from '../firewall/opening.ts'
import { installCommand } from '../health/installing.ts'
import { takeLock } from '../lock/lock.ts'
import { firstAddress } from '../places/host.ts'
import { listingLine } from '../runtimes/runtime.ts'
import { listPatiently } from '../runtimes/start-order.ts'
import { openHostStack, type Stack, searchIsRemote } from '../stack.ts'
import { findBundle } from '../steps/host/bundle.ts'
import { installSteps } from '../steps/host/install.ts'
import { runSteps } from '../steps/run-steps.ts'
import { type CommandContext, type RegisterCommand, requireRoot } from './command.ts'
import { onInterruption } from './interruption.ts'
import { seconds, standardProgress } from './progress.ts'
import { ask } from './read-secret-input.ts'
import { remoteSearchGiven, requireReachable, searchOptions } from './search-options.ts'

interface InstallOptions {
  readonly ip?: string
  readonly adminUser?: string
  readonly searchUrl?: string
  readonly searchCa?: string
  readonly searchPasswordFile?: string
  readonly baseImage?: string
  readonly bundle?: string
  readonly yes?: boolean
  readonly dryRun?: boolean
}

/** `logstack install`: puts the stack on this host as containers that systemd starts; harmless when run again. */
export const registerInstall: RegisterCommand = (program, context) => {
  program
    .command('install')
    .description('install the stack on this host: containers of podman, started by systemd (as root)')
    .option('-i, --ip <address>', "address other machines use for this one (default: the first network's)", ipAddress)
    .option('--admin-user <name>', "the administrator's name, chosen at the first installation (default: elastic)")
    .option(...searchOptions.url)
    .option(...searchOptions.ca)
    .option(...searchOptions.passwordFile)
    .option('--bundle <file>', 'take the image to build on from a bundle, not from a network')
    .option('--base-image <image>', 'image to build on: Debian with Node.js 20.19 or newer')
    .option('-y, --yes', 'ask nothing')
    .option('--dry-run', 'look at the host, show what would be done, and do nothing')
    .addHelpText(
      'after',
      '\nExamples:\n  sudo ./logstack install\n  sudo ./logstack install --ip 192.0.2.10 --yes\n  sudo ./logstack install --dry-run',
    )
    .action((options: InstallOptions) => install(options, context))
}

async function install(options: InstallOptions, context: CommandContext): Promise<void> {
  requireRoot()
  const startedAtMs = performance.now()
  const ipvar = firstAddress()
  const stack = openHostStack({
    programDir: context.programDir,
    given: { ipvar: options.ip, adminUser: options.adminUser, searchUrl: options.searchUrl },
    ...(ipvar ? { ipvar } : {}),
  })
  await checkHost(stack)
  const earlier = earlierInstallation(stack)
  if (earlier) context.tell(earlier)
  const bundle = await findBundle(options.bundle, context.programDir)
  requireReachable(stack)
  const remoteSearch = remoteSearchGiven(stack, options, context)
  const steps = installSteps({ baseImage: options.baseImage, bundle, remoteSearch })
  const reporter = standardProgress()
  if (options.dryRun) {
    await runSteps([...steps.prepare, ...steps.run], stack, { reporter, dryRun: true })
    context.tell('nothing was changed')
    return
  }
  if (!options.yes) await confirm(`Install logstack on this host, for agents and browsers at ${stack.choices.ipvar}?`)
  const lock = takeLock(stack.paths.lockFile, installCommand)
  const ignoreSignals = onInterruption((signal) => {
    lock.release()
    context.tell(`\n${signal}: ${goesOn}`)
  })
  try {
    await runSteps([...steps.prepare, ...steps.run], stack, { reporter })
  } catch (thrown) {
    context.tell(goesOn)
    throw thrown
  } finally {
    ignoreSignals()
    lock.release()
    stack.clients.close()
  }
  await sayInstalled(stack, context)
  context.tell(`installed in ${seconds(performance.now() - startedAtMs)}`)
}

const goesOn = 'what was done stays: run it again, and it goes on with this step'

async function sayInstalled(stack: Stack, { say }: CommandContext): Promise<void> {
  const { choices, paths, ports } = stack
  const at = isIP(choices.ipvar) === 6 ? `[${choices.ipvar}]` : choices.ipvar
  say('')
  for (const status of await listPatiently(stack.runtime)) say(listingLine(status))
  say('')
  say(`dashboard        https://${at}:${ports.of(5601)}`)
  say(`search           ${searchIsRemote(stack) ? choices.searchUrl : `https://${at}:${ports.of(9200)}`}`)
  say(`agent-server     https://${at}:${ports.of(8220)}`)
  say(`syslog           ${at}:${ports.of(514)}   (udp and tcp)`)
  say(`administrator    ${choices.adminUser}   (read the password with: sudo logstack password show)`)
  say(`CA certificate   ${paths.caFile}`)
  const firewall = await activeFirewall(look)
  const closed = firewall ? await firewall.missing(await openingOf(stack), look) : []
  if (closed.length > 0)
    say(`firewall         ${firewall?.name} keeps other machines out; let them in with: sudo logstack firewall apply`)
  say('')
}

/** Asks on a terminal; `option_invalid` without one, as silence is no consent. */
export async function confirm(question: string): Promise<void> {
  if (!process.stdin.isTTY) {
    throw new AppError(operatorErrors.option_invalid, `${question} There is nobody to answer`, { fix: 'add --yes' })
  }
  const answer = await ask(`${question} [y/N] `)
  if (/^y(es)?$/i.test(answer.trim())) return
  throw new AppError(operatorErrors.option_invalid, 'nothing was changed', { fix: 'answer y to go on' })
}

function ipAddress(text: string): string {
  if (isIP(text) !== 0) return text
  throw new AppError(operatorErrors.option_invalid, `[${text}] is not an IP address`, {
    fix: 'use one of this machine, for example from: ip -brief address',
  })
}

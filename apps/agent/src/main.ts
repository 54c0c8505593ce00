import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { AppError, agentsErrors, errorKinds, isAppError, messageOf, systemSentence } from '@logstack/errors'
import { createLogger, type LogLevel } from '@logstack/logging'
import { LiveSettings } from '@logstack/settings'
import { Command } from 'commander'
import { z } from 'zod'
import { dataPaths, runningAgent } from './data-directory.ts'
import { readJsonFile } from './durable-file.ts'
import { enrol, identityBefore, requireFree } from './enrol.ts'
import { authorityOf, type EnrolFlags, tokenOf } from './enrol-flags.ts'
import { agentVersion } from './host-facts.ts'
import { readIdentity } from './identity.ts'
import { HostIsolation } from './isolation/host-isolation.ts'
import { leave } from './leave.ts'
import { ownCommand, ownProgram } from './own-program.ts'
import { runAgent } from './run.ts'
import { serviceDefinitions } from './service/registry.ts'
import { agentSettings } from './settings.ts'
import { staleness } from './status-file.ts'

const defaultData = process.env['LOGSTACK_DATA_DIR'] ?? '/var/lib/logstack-agent'
const say = (line: string): boolean => process.stdout.write(`${line}\n`)

async function enrolCommand(flags: EnrolFlags): Promise<void> {
  const paths = dataPaths(flags.data)
  const force = flags.force ?? false
  // Told before what is wrong with the other flags, as it makes them needless.
  requireFree(paths, force)
  const wait = async (ms: number, reason: string): Promise<void> => {
    process.stderr.write(`agent: ${reason}; it tries again in ${Math.ceil(ms / 1000)} s\n`)
    await new Promise((resolve) => setTimeout(resolve, ms))
  }
  const given = { url: flags.url, token: tokenOf(flags), authority: authorityOf(flags), force, wait }
  const { identity, untold } = await enrol(paths, given)
  say(`enrolled as ${identity.id} at ${identity.url}, policy ${identity.policy_id}`)
  if (untold) warnUntold(untold.url, untold.reason)
}

async function runCommand(flags: { data: string; config?: string }): Promise<void> {
  const logger = createLogger('agent', (process.env['LOGSTACK_LOG_LEVEL'] ?? 'info') as LogLevel)
  const stopping = new AbortController()
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => {
      logger.info({ signal }, 'stopping')
      stopping.abort()
    })
  }
  const file = flags.config ?? process.env['LOGSTACK_CONFIG_FILE']
  const settings = new LiveSettings(agentSettings, { file, env: process.env })
  const program = ownProgram()
  const once = () => runAgent({ paths: dataPaths(flags.data), settings, logger, signal: stopping.signal, program })
  while ((await once()) === 'work') logger.info('beginning anew')
  // For another program this process ends: whoever keeps the agent running starts that one.
  logger.info('stopped')
  process.exit(0)
}

const statusSchema = z.looseObject({
  status: z.string(),
  message: z.string(),
  pending: z.number(),
  written_at: z.string(),
})

function statusCommand(flags: { data: string; json?: boolean }): void {
  const paths = dataPaths(flags.data)
  const identity = readIdentity(paths)
  const pid = runningAgent(paths)
  const last = readJsonFile(paths.status, statusSchema)
  const stale = pid !== undefined && last ? staleness(paths, last.written_at, Date.now()) : undefined
  const known = { enrolled: identity !== undefined, id: identity?.id, url: identity?.url, pid, last, stale }
  if (flags.json) say(JSON.stringify(known))
  else if (!identity) say('not enrolled')
  else {
    say(`enrolled as ${identity.id} at ${identity.url}`)
    say(pid === undefined ? 'not running' : `running as process ${pid}`)
    if (last) say(`${last.status}: ${last.message} (${last.pending} events waiting, as of ${last.written_at})`)
    if (stale) say(stale)
  }
  process.exitCode = identity && pid !== undefined ? 0 : 1
}

async function uninstallCommand(flags: { data: string }): Promise<void> {
  const paths = dataPaths(flags.data)
  const pid = runningAgent(paths)
  if (pid !== undefined) {
    throw new AppError(agentsErrors.agent_already_running, `agent ${pid} still runs`, {
      fix: `stop the process ${pid} first`,
    })
  }
  // What cannot be read must not keep anybody from removing it.
  const identity = identityBefore(paths)
  const isUnreadable = identity === undefined && existsSync(paths.identity)
  const untold = identity && (await leave(identity))
  await new HostIsolation(paths, () => []).join()
  for (const path of [
    paths.identity,
    paths.policy,
    paths.status,
    paths.actions,
    paths.lock,
    paths.rejected,
    paths.spool,
  ]) {
    rmSync(path, { recursive: true, force: true })
  }
  say(`removed the agent's data from ${paths.folder}`)
  if (identity && untold !== undefined) warnUntold(identity.url, untold)
  if (isUnreadable) warnUntold('agent-server', `${paths.identity} could not be read`)
}

function serviceCommand(system: string, flags: { data: string; to: string }): void {
  const definition = serviceDefinitions.find(({ name }) => name === system)
  if (!definition) {
    throw new AppError(agentsErrors.agent_request_invalid, `no service is defined for [${system}]`, {
      fix: `name one of ${serviceDefinitions.map(({ name }) => name).join(', ')}`,
    })
  }
  writeFileSync(flags.to, definition.render([...ownCommand(), 'run', '--data', flags.data]), { mode: 0o644 })
  say(`written to ${flags.to}; start the agent by: ${definition.start(flags.to)}`)
}

function warnUntold(url: string, reason: string): void {
  process.stderr.write(
    `agent: ${url} was not told that this host left: ${reason}\n  remove it there: dashboard, Agents\n`,
  )
}

function program(): Command {
  const command = new Command('agent').description('Collects events of this host for a logstack').version(agentVersion)
  const withData = (name: string): Command =>
    command.command(name).option('--data <dir>', 'where the agent keeps its identity and its spool', defaultData)
  withData('enroll')
    .description('make this host known to an agent-server')
    .requiredOption('--url <url>', 'https address of agent-server')
    .option('--token <token>', 'enrolment token; prefer --token-file, other users may read arguments')
    .option('--token-file <file>', 'file with the enrolment token, - for standard input')
    .option('--ca <file>', 'PEM file of the authority that signs the server certificates')
    .option('--ca-fingerprint <hex>', 'SHA-256 fingerprint of that authority')
    .option('--force', 'enrol again')
    .action(enrolCommand)
  withData('run')
    .description('collect and send events until stopped')
    .option('--config <file>', "this host's own settings (YAML)")
    .action(runCommand)
  withData('status').description('how the agent is doing').option('--json', 'as JSON').action(statusCommand)
  withData('service')
    .description(`write what keeps the agent running: ${serviceDefinitions.map(({ name }) => name).join(', ')}`)
    .argument('<system>')
    .requiredOption('--to <file>', 'the file to write')
    .action(serviceCommand)
  withData('uninstall')
    .description("take leave of agent-server, and remove the agent's identity, policy and spool")
    .action(uninstallCommand)
  return command
}

program()
  .parseAsync()
  .catch((thrown: unknown) => {
    const fix = isAppError(thrown) && thrown.fix ? `\n  ${thrown.fix}` : ''
    const problem = isAppError(thrown) ? undefined : systemSentence(thrown)
    process.stderr.write(`agent: ${problem ?? messageOf(thrown)}${fix}\n`)
    const kind = isAppError(thrown) ? thrown.kind : problem === undefined ? 'internal' : 'invalid'
    process.exit(errorKinds[kind].exitCode)
  })

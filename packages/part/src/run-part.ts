import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { errorKinds, isAppError, messageOf } from '@logstack/errors'
import { createLogger, type Logger, type LogLevel } from '@logstack/logging'
import { LiveSettings, type SettingsDefinition, type SettingTable } from '@logstack/settings'
import { type PartEnvironment, readPartEnvironment } from './environment.ts'
import { httpsProbe } from './health-probe.ts'
import { startHeartbeat } from './heartbeat.ts'
import { heedSignals, leaveSignals } from './starting-signals.ts'

/** What a part gets to start with. */
export interface PartContext<T extends SettingTable> {
  readonly environment: PartEnvironment
  readonly settings: LiveSettings<T>
  readonly logger: Logger
}

/** A started part: `stop` ends it in order and resolves when nothing is left open; `reload` follows SIGHUP after the settings did. */
export interface RunningPart {
  stop(): Promise<void>
  reload?(): Promise<void> | void
}

export interface PartDefinition<T extends SettingTable> {
  /** The short name: `search`, `dashboard`, `endpoint-manager`, `agent-server`, `alerter`. */
  readonly name: string
  readonly settings: SettingsDefinition<T>
  /** Resolves when the part is ready to do its work. */
  start(context: PartContext<T>): Promise<RunningPart>
}

const stopLimitMs = 20_000

/** Given this argument a part only reads its settings: exit code 0 when they can be used, else the error as always. */
export const checkSettingsFlag = '--check-settings'

/**
 * The whole life of a part's process: settings, start, ready file, SIGHUP to reload, SIGTERM and SIGINT to stop, at once while it starts.
 * A failed start and a broken invariant end the process with a line in the log; the runtime starts it again.
 */
export async function runPart<T extends SettingTable>(definition: PartDefinition<T>): Promise<void> {
  // All objects of the process inherit from it: a member that a request could add there (`__proto__` as a name) would be in each. Who tries fails instead.
  Object.preventExtensions(Object.prototype)
  const level = (process.env['LOGSTACK_LOG_LEVEL'] ?? 'info') as LogLevel
  const logger = createLogger(definition.name, level)
  const fail = (thrown: unknown, what: string): never => {
    logger.fatal(
      { err: thrown, ...(isAppError(thrown) && thrown.fix ? { fix: thrown.fix } : {}) },
      `${what}: ${messageOf(thrown)}`,
    )
    process.exit(isAppError(thrown) ? errorKinds[thrown.kind].exitCode : errorKinds.internal.exitCode)
  }
  process.on('uncaughtException', (thrown) => fail(thrown, 'uncaught exception'))
  process.on('unhandledRejection', (thrown) => fail(thrown, 'unhandled rejection'))
  heedSignals()
  try {
    const environment = readPartEnvironment(process.env)
    const settings = new LiveSettings(definition.settings, { file: environment.configFile, env: process.env })
    if (process.argv.includes(checkSettingsFlag)) process.exit(0)
    const running = await definition.start({ environment, settings, logger })
    const endHeartbeat = beatOf(environment, logger)
    let stopping = false
    const stop = async (signal: string): Promise<void> => {
      if (stopping) return
      stopping = true
      logger.info({ signal }, 'stopping')
      setTimeout(() => fail(new Error(`not stopped after ${stopLimitMs} ms`), 'stop'), stopLimitMs).unref()
      if (environment.readyFile) rmSync(environment.readyFile, { force: true })
      endHeartbeat()
      await running.stop()
      logger.info('stopped')
      process.exit(0)
    }
    leaveSignals()
    process.on('SIGTERM', () => void stop('SIGTERM'))
    process.on('SIGINT', () => void stop('SIGINT'))
    process.on('SIGHUP', () => void reload(settings, running, logger))
    // Last: whoever sees that the part is ready may send a signal at once.
    if (environment.readyFile) writeFileSync(environment.readyFile, `${process.pid}\n`)
    logger.info({ listen: environment.listen }, 'ready')
  } catch (thrown) {
    fail(thrown, 'cannot start')
  }
}

function beatOf({ heartbeat, certsDir }: PartEnvironment, logger: Logger): () => void {
  return heartbeat ? startHeartbeat(heartbeat, httpsProbe(join(certsDir, 'root-ca.crt')), logger) : () => undefined
}

async function reload<T extends SettingTable>(
  settings: LiveSettings<T>,
  running: RunningPart,
  logger: Logger,
): Promise<void> {
  try {
    const reloaded = settings.reload()
    await running.reload?.()
    logger.info(reloaded, 'settings reloaded')
  } catch (thrown) {
    logger.error({ err: thrown }, `settings not reloaded, the old ones stay in effect: ${messageOf(thrown)}`)
  }
}

import { mkdirSync, rmSync } from 'node:fs'
import { type AgentPolicy, agentPolicySchema } from '@logstack/contracts'
import { isAppError } from '@logstack/errors'
import type { Logger } from '@logstack/logging'
import type { LiveSettings } from '@logstack/settings'
import { Actions } from './actions/actions.ts'
import { startTrial } from './actions/upgrade.ts'
import { type AppliedPolicy, applyPolicy, type PolicyContext } from './applied-policy.ts'
import { CertificateRenewal } from './certificate-renewal.ts'
import { CheckIn } from './check-in.ts'
import { type DataPaths, lockDataDirectory } from './data-directory.ts'
import { isDiskFull, readJsonFile, writeDurably } from './durable-file.ts'
import { agentVersion, localTimezone, readHostFacts } from './host-facts.ts'
import { type Identity, requireIdentity } from './identity.ts'
import { HostIsolation } from './isolation/host-isolation.ts'
import { ServerClient } from './server-client.ts'
import type { AgentSettings } from './settings.ts'
import { Spool } from './spool/spool.ts'
import { statusEveryMs, writeStatus } from './status-file.ts'
import { UnitStates } from './unit-states.ts'

const statusDelayMs = 1_000

/**
 * The agent at work, until `signal` ends it or the server unenrols it: inputs → spool → endpoint-manager, while a check-in stays open at
 * agent-server. It starts with the last policy it had, so it collects and keeps events while no server answers. Answers `work` when it was told to begin
 * anew, `program` when it is to go on as the program that now lies where this one did.
 */
export async function runAgent(options: {
  readonly paths: DataPaths
  readonly settings: LiveSettings<AgentSettings>
  readonly logger: Logger
  readonly signal: AbortSignal
  /** The file of this program. */
  readonly program: string
}): Promise<'work' | 'program' | undefined> {
  const { paths, settings, logger, program } = options
  const identity = requireIdentity(paths)
  const lock = lockDataDirectory(paths)
  const work = new Work(options.signal)
  const spool = openSpool(paths, settings, logger)
  const facts = readHostFacts()
  const client = new ServerClient({ url: identity.url, ca: identity.ca, accessKey: identity.access_key })
  let applied: AppliedPolicy | undefined
  const trial = startTrial(program, () => {
    logger.error('this program has not checked in: the one before is put back')
    work.end('program')
  })
  const show = (): void => writeStatus({ paths, identity, spool, states, policy: applied?.policy })
  const status = statusWriter(() => {
    show()
    checkIn.tellAgain()
  })
  const showing = setInterval(show, statusEveryMs)
  const states = new UnitStates(status.later)
  const isolation = new HostIsolation(paths, () => serversOf(identity, applied?.policy), states)
  const renewed = (): void => work.end('work')
  const renewal = new CertificateRenewal({ identity, paths, client, logger, now: () => new Date(), renewed })
  const context = policyContext({ identity, settings, logger, spool, states, paths, host: facts.host })
  const apply = async (policy: AgentPolicy): Promise<void> => {
    keepPolicy(paths, policy, logger)
    await applied?.stop()
    applied = applyPolicy(policy, context)
    logger.info({ policy: policy.id, revision: policy.revision }, 'policy applied')
  }
  const checkIn = new CheckIn({
    agentId: identity.id,
    client,
    logger,
    states,
    currentPolicy: () => applied?.policy,
    applyPolicy: apply,
    unenrolled: () => forgetServer(paths, logger, work),
    metadata: facts.metadata,
    actions: new Actions(paths.actions, program),
    program,
    restart: (what) => work.end(what),
    answered() {
      trial.passed()
      void renewal.look()
    },
    isolation,
  })
  try {
    const last = lastPolicy(paths, logger)
    if (last) applied = applyPolicy(last, context)
    // What keeps the disk from taking anything is told with the first check-in.
    show()
    await isolation.restore(logger)
    logger.info({ agent: identity.id, url: identity.url, pending: spool.pending }, 'running')
    void renewal.look()
    await checkIn.run(work.signal)
    return options.signal.aborted ? undefined : work.next
  } finally {
    trial.end()
    clearInterval(showing)
    status.stop()
    await applied?.stop()
    spool.close()
    client.close()
    lock.release()
  }
}

/** The agent's work until something ends it, and what is to come then. */
class Work {
  readonly signal: AbortSignal
  readonly #stopping = new AbortController()
  next: 'work' | 'program' | undefined

  constructor(outer: AbortSignal) {
    this.signal = AbortSignal.any([outer, this.#stopping.signal])
  }

  end(next?: 'work' | 'program'): void {
    this.next = next
    this.#stopping.abort()
  }
}

function forgetServer(paths: DataPaths, logger: Logger, work: Work): void {
  logger.warn('unenrolled by the server')
  rmSync(paths.identity, { force: true })
  work.end()
}

function openSpool(paths: DataPaths, settings: LiveSettings<AgentSettings>, logger: Logger): Spool {
  const spool = Spool.open(paths.spool, {
    bytesMax: settings.get('spool.bytes_max'),
    segmentBytesMax: settings.get('spool.segment_bytes_max'),
  })
  if (spool.lacksRoom) logger.warn('the disk is full: what is kept is sent, what inputs read waits for room')
  return spool
}

function serversOf({ url }: Identity, policy: AgentPolicy | undefined): string[] {
  return [url, ...(policy?.outputs['default']?.hosts ?? [])]
}

/** Keeps a policy for the next start. On a full disk it is at work without: agent-server sends it again then. */
function keepPolicy(paths: DataPaths, policy: AgentPolicy, logger: Logger): void {
  try {
    writeDurably(paths.policy, JSON.stringify(policy))
  } catch (thrown) {
    if (!isDiskFull(thrown)) throw thrown
    logger.warn('the disk is full: the policy is at work, and not kept for the next start')
  }
}

/** The policy of before; one that cannot be read is fetched anew. */
function lastPolicy(paths: DataPaths, logger: Logger): AgentPolicy | undefined {
  try {
    return readJsonFile(paths.policy, agentPolicySchema)
  } catch (thrown) {
    if (!isAppError(thrown)) throw thrown
    logger.warn(`${thrown.message}: waiting for the server to send it again`)
    return undefined
  }
}

function policyContext(from: {
  identity: Identity
  settings: LiveSettings<AgentSettings>
  logger: Logger
  spool: Spool
  states: UnitStates
  paths: DataPaths
  host: Record<string, unknown>
}): PolicyContext {
  const { identity, settings, logger, spool, states, paths, host } = from
  const { id, name, url, ca, certificate, key } = identity
  mkdirSync(paths.state, { recursive: true, mode: 0o700 })
  return {
    spool,
    logger,
    states,
    extraLogPaths: settings.get('extra_log_paths'),
    stateFolder: paths.state,
    agentServerUrl: url,
    output: {
      server: { ca, certificate, key },
      header: () => ({
        agent: { id, name, version: agentVersion },
        spool: spool.id,
        common: { host },
        timezone: localTimezone(),
        sent: Date.now(),
      }),
      batch: { recordsMax: settings.get('batch.records_max'), bytesMax: settings.get('batch.bytes_max') },
      rejectedFile: paths.rejected,
    },
  }
}

/** Calls `write` once, a moment after the last of several changes. */
function statusWriter(write: () => void): { later(): void; stop(): void } {
  let timer: NodeJS.Timeout | undefined
  return {
    later() {
      timer ??= setTimeout(() => {
        timer = undefined
        write()
      }, statusDelayMs)
    },
    stop() {
      clearTimeout(timer)
    },
  }
}

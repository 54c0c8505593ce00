import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  accountOf,
  alertRulesIndex,
  alertSilencesIndex,
  ruleTrialsIndex,
  stateIndices,
  storedRulesIndex,
} from '@logstack/contracts'
import { isAppError, messageOf } from '@logstack/errors'
import type { Logger } from '@logstack/logging'
import { type PartContext, type PartEnvironment, type RunningPart, readCertificates, readSecret } from '@logstack/part'
import { ensureHiddenIndex, SearchClient } from '@logstack/search-client'
import type { LiveSettings } from '@logstack/settings'
import { alertStore, pendingMax } from './alerts/alert-store.ts'
import { Delivery, type DeliverySurroundings } from './alerts/delivery.ts'
import { ruleStateStore } from './alerts/rule-state.ts'
import { RuleStatuses } from './alerts/rule-statuses.ts'
import { SentJournal } from './alerts/sent-journal.ts'
import { Silences } from './alerts/silences.ts'
import { channelSurroundings } from './channels/surroundings.ts'
import { LookUps } from './events/look-ups.ts'
import { ReadWhenWritten, RoundProgress, readProgress } from './events/progress.ts'
import { QuietQueries } from './events/quiet-queries.ts'
import { EventReader } from './events/read-events.ts'
import { ShardReader } from './events/shards.ts'
import { placesBeside, type RuleFile, type RulesFolder, RulesReader } from './rule-files/rules-folder.ts'
import { readStoredRules } from './rule-files/stored-rules.ts'
import { RulesDecider } from './rules-in-effect.ts'
import { Scheduler, type SchedulerSurroundings } from './scheduler.ts'
import type { AlerterTable } from './settings.ts'
import { Silence } from './silence.ts'
import { Trials } from './trials.ts'

/** Of these the alerter asks whether they were written to before it reads them. */
const watchedIndices = [alertSilencesIndex, alertRulesIndex, storedRulesIndex, ruleTrialsIndex].map(({ name }) => name)
const searchWaitMsMax = 5000
const sendEveryMs = 250
const pendingRescanMs = 60_000

/** Starts the alerter: waits for search, makes sure of its hidden indices, takes up unsent alerts, and runs rules until stopped. */
export async function startAlerter({ environment, settings, logger }: PartContext<AlerterTable>): Promise<RunningPart> {
  const { username } = accountOf('alerter')
  const client = new SearchClient({
    url: environment.searchUrl,
    ca: readCertificates(environment, 'alerter').searchCa,
    credentials: { username, password: readSecret(environment, username) },
  })
  const rulesDir = environment.env['LOGSTACK_RULES_DIR'] ?? 'rules/alerts'
  mkdirSync(environment.dataDir, { recursive: true })
  const journal = new SentJournal(join(environment.dataDir, 'sent.journal'))
  const stopping = new AbortController()
  const alerts = alertStore(client)
  const statuses = new RuleStatuses(client)
  const now = Date.now
  const progress = new RoundProgress(() => readProgress(client, [...scheduler.scheduler.patterns, ...watchedIndices]))
  const scheduler = makeScheduler({
    client,
    progress,
    settings,
    logger,
    rulesDir,
    statuses,
    alerts,
    deliver: (made) => delivery.take(made),
  })
  const delivery: Delivery = new Delivery({
    now,
    alerts,
    journal,
    logger,
    signal: stopping.signal,
    ruleOf: (id) => scheduler.scheduler.rules.get(id),
    limits: () => deliveryLimits(settings, environment, client, rulesDir),
  })

  const trials = new Trials({ client, logger, now, folder: scheduler.folder })
  await whenSearchAnswers(logger, async () => {
    for (const index of stateIndices.alerter) await ensureHiddenIndex(client, index)
    await scheduler.silences.refresh(now())
    delivery.take(await alerts.pending())
  })
  await scheduler.scheduler.readRules(true)
  logger.info({ rules: scheduler.scheduler.rules.size, folder: rulesDir }, 'rules read')

  let hadAll = true
  const rounds = repeat(
    stopping.signal,
    // Rules that had no turn have waited long enough.
    () => (hadAll ? settings.get('poll_interval_ms') : 0),
    async () => {
      hadAll = await oneRound({ logger, progress, statuses, trials, ...scheduler })
    },
  )
  const sending = keepSending(delivery, alerts, stopping.signal, logger)
  return {
    reload: () => {
      progress.begin()
      return scheduler.scheduler.readRules(true)
    },
    stop: async () => {
      stopping.abort()
      await Promise.all([rounds, sending])
      await Promise.all([scheduler.scheduler.stop(), trials.stop()])
      await quietly(logger, 'state of rules not written', () => statuses.write(now(), true))
      journal.close()
      client.close()
    },
  }
}

/** Takes up changes of rules, then lets all of them read what is new; false when not all had their turn. */
async function oneRound(of: {
  readonly logger: Logger
  readonly progress: RoundProgress
  readonly scheduler: Scheduler
  readonly silences: Silences
  readonly statuses: RuleStatuses
  readonly trials: Trials
}): Promise<boolean> {
  const { logger, progress, scheduler, silences, statuses, trials } = of
  progress.begin()
  await scheduler.readRules()
  // That may have taken its time.
  progress.begin()
  await quietly(logger, 'silences not read', async () =>
    silences.refresh(Date.now(), await progress.markOf(alertSilencesIndex.name)),
  )
  const hadAll = await scheduler.round()
  await quietly(logger, 'state of rules not written', () => statuses.write(Date.now()))
  await quietly(logger, 'test runs not read', async () => trials.look(await progress.markOf(ruleTrialsIndex.name)))
  return hadAll
}

function makeScheduler(of: {
  readonly client: SearchClient
  readonly settings: LiveSettings<AlerterTable>
  readonly logger: Logger
  readonly rulesDir: string
  readonly statuses: RuleStatuses
  readonly alerts: ReturnType<typeof alertStore>
  readonly progress: RoundProgress
  deliver(alerts: Parameters<Delivery['take']>[0]): void
}): { readonly scheduler: Scheduler; readonly silences: Silences; folder(): RulesFolder | undefined } {
  const { client, settings, logger, statuses, alerts, progress, deliver } = of
  const states = ruleStateStore(client)
  const silences = new Silences(client, logger)
  const shared = new Map<string, Silence>()
  const quiet = new QuietQueries(client)
  let folder: RulesFolder | undefined
  let stored: readonly RuleFile[] = []
  const readStored = new ReadWhenWritten()
  const reader = new RulesReader(placesBeside(of.rulesDir))
  const decider = new RulesDecider()
  const roundSurroundings: SchedulerSurroundings['roundSurroundings'] = () => {
    const shards = new ShardReader(client, settings.get('indices_max'), () => progress.now())
    return {
      now: Date.now,
      startedAt: Date.now(),
      states,
      alerts,
      deliver,
      reader: new EventReader(client, Date.now, quiet),
      lookUps: new LookUps(client),
      shardsOf: (pattern) => shards.shardsOf(pattern),
      silencedBy: (rule, key, at) => silences.of(rule, key, at),
      sharedSilence: (key) => {
        const silence = shared.get(key) ?? new Silence()
        shared.set(key, silence)
        return silence
      },
      windowEventsMax: settings.get('window_events_max'),
      pageEventsMax: settings.get('page_events_max'),
      firstLookbackMs: settings.get('first_lookback_ms'),
      catchUpMsMax: settings.get('catch_up_ms_max'),
      bufferMs: settings.get('buffer_time_ms'),
      runEveryMs: settings.get('run_every_ms'),
      webhookUrl: settings.get('webhook_url'),
    }
  }
  const scheduler = new Scheduler({
    now: Date.now,
    logger,
    statuses,
    rulesRescanMs: () => settings.get('rules_rescan_ms'),
    worksAtOnceMax: () => settings.get('rules_at_once_max'),
    roundSurroundings,
    readRules: async () => {
      await quietly(logger, 'switches of rules not read', async () =>
        statuses.readSwitches(await progress.markOf(alertRulesIndex.name)),
      )
      await quietly(logger, 'rules of the dashboard not read', async () =>
        readStored.when(await progress.markOf(storedRulesIndex.name), async () => {
          stored = await readStoredRules(client)
        }),
      )
      folder = await reader.read(stored)
      const decided = decider.decide(folder, statuses.off)
      states.expect(decided.works.map(({ id }) => id))
      return decided
    },
  })
  return { scheduler, silences, folder: () => folder }
}

function deliveryLimits(
  settings: LiveSettings<AlerterTable>,
  environment: PartEnvironment,
  client: SearchClient,
  rulesDir: string,
): ReturnType<DeliverySurroundings['limits']> {
  return {
    ...channelSurroundings({ settings, environment, client, rulesDir }),
    attemptsMax: settings.get('delivery_attempts_max'),
    backoffMs: settings.get('delivery_backoff_ms'),
    backoffMsMax: settings.get('delivery_backoff_ms_max'),
  }
}

async function keepSending(
  delivery: Delivery,
  alerts: ReturnType<typeof alertStore>,
  signal: AbortSignal,
  logger: Logger,
): Promise<void> {
  let lookedAt = performance.now()
  await repeat(
    signal,
    () => sendEveryMs,
    async () => {
      await quietly(logger, 'delivery state not written, kept and written later', () => delivery.sendDue())
      // At the start no more than a page was taken up; the rest follows when that is done.
      if (delivery.waiting > 0 || (!delivery.hasLeft && performance.now() - lookedAt < pendingRescanMs)) return
      lookedAt = performance.now()
      await quietly(logger, 'unsent alerts not read', async () => {
        const left = await alerts.pending()
        delivery.hasLeft = left.length >= pendingMax
        delivery.take(left)
      })
    },
  )
}

async function repeat(signal: AbortSignal, pauseMs: () => number, work: () => Promise<void>): Promise<void> {
  while (!signal.aborted) {
    await work()
    await sleep(pauseMs(), undefined, { signal }).catch(() => undefined)
  }
}

// Search may start later or be down: only an answer that will not change by waiting ends the start.
async function whenSearchAnswers(logger: Logger, work: () => Promise<void>): Promise<void> {
  for (let pauseMs = 250; ; pauseMs = Math.min(pauseMs * 2, searchWaitMsMax)) {
    try {
      await work()
      return
    } catch (thrown) {
      if (!isAppError(thrown) || !['unavailable', 'timeout', 'too-many'].includes(thrown.kind)) throw thrown
      logger.warn(`waiting for search: ${messageOf(thrown)}`)
      await sleep(pauseMs)
    }
  }
}

async function quietly(logger: Logger, what: string, work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (thrown) {
    logger.warn({ err: thrown }, `${what}: ${messageOf(thrown)}`)
  }
}

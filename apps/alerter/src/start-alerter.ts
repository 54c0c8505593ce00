import { setTimeout as sleep } from 'node:timers/promises'
import { accountOf, alerterStateIndex, alertsIndex } from '@logstack/contracts'
import { isAppError, messageOf } from '@logstack/errors'
import type { Logger } from '@logstack/logging'
import { type PartContext, type RunningPart, readCertificates, readSecret } from '@logstack/part'
import { ensureHiddenIndex, SearchClient } from '@logstack/search-client'
import type { LiveSettings } from '@logstack/settings'
import { alertStore } from './alerts/alert-store.ts'
import { Delivery, type DeliverySurroundings } from './alerts/delivery.ts'
import { ruleStateStore } from './alerts/rule-state.ts'
import { readEvents } from './events/read-events.ts'
import { ShardReader } from './events/shards.ts'
import { readRulesFolder } from './rule-files/rules-folder.ts'
import { Scheduler } from './scheduler.ts'
import type { AlerterTable } from './settings.ts'

const searchWaitMsMax = 5000
const sendEveryMs = 250

/** Starts the alerter: waits for search, makes sure of its hidden indices, takes up unsent alerts, and runs rules until stopped. */
export async function startAlerter({ environment, settings, logger }: PartContext<AlerterTable>): Promise<RunningPart> {
  const { username } = accountOf('alerter')
  const client = new SearchClient({
    url: environment.searchUrl,
    ca: readCertificates(environment, 'alerter').ca,
    credentials: { username, password: readSecret(environment, username) },
  })
  const rulesDir = environment.env['LOGSTACK_RULES_DIR'] ?? 'rules/alerts'
  const stopping = new AbortController()
  const alerts = alertStore(client)
  const states = ruleStateStore(client)
  const now = Date.now
  const scheduler: Scheduler = new Scheduler({
    now,
    logger,
    readRules: () => readRulesFolder(rulesDir),
    rulesRescanMs: () => settings.get('rules_rescan_ms'),
    shardReader: () => new ShardReader(client, settings.get('indices_max')),
    surroundings: () => ({
      now,
      states,
      alerts,
      readEvents: (rule, range) => readEvents(client, rule, range, settings.get('page_events_max')),
      deliver: (created) => delivery.take(created),
      windowEventsMax: settings.get('window_events_max'),
      firstLookbackMs: settings.get('first_lookback_ms'),
      catchUpMsMax: settings.get('catch_up_ms_max'),
      webhookUrl: settings.get('webhook_url'),
    }),
  })
  const delivery = new Delivery({
    now,
    alerts,
    logger,
    signal: stopping.signal,
    channelOf: (ruleId, name) => scheduler.rules.get(ruleId)?.channels.find((channel) => channel.name === name),
    limits: () => deliveryLimits(settings),
  })

  await whenSearchAnswers(logger, async () => {
    for (const index of [alertsIndex, alerterStateIndex]) await ensureHiddenIndex(client, index)
    delivery.take(await alerts.pending())
  })
  await scheduler.readRules(true)
  logger.info({ rules: scheduler.rules.size, folder: rulesDir }, 'rules read')

  const rounds = repeat(
    stopping.signal,
    () => settings.get('poll_interval_ms'),
    async () => {
      await scheduler.readRules()
      await scheduler.round()
    },
  )
  const sending = repeat(
    stopping.signal,
    () => sendEveryMs,
    () => quietly(logger, () => delivery.sendDue()),
  )
  return {
    reload: () => scheduler.readRules(true),
    stop: async () => {
      stopping.abort()
      await Promise.all([rounds, sending])
      await scheduler.stop()
      client.close()
    },
  }
}

function deliveryLimits(settings: LiveSettings<AlerterTable>): ReturnType<DeliverySurroundings['limits']> {
  return {
    webhookUrl: settings.get('webhook_url'),
    timeoutMs: settings.get('channel_timeout_ms'),
    attemptsMax: settings.get('delivery_attempts_max'),
    backoffMs: settings.get('delivery_backoff_ms'),
    backoffMsMax: settings.get('delivery_backoff_ms_max'),
  }
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

async function quietly(logger: Logger, work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (thrown) {
    logger.warn({ err: thrown }, `delivery state not written, kept and written later: ${messageOf(thrown)}`)
  }
}

import { appendFileSync, statSync, truncateSync } from 'node:fs'
import {
  agentApiPaths,
  type EventsHeader,
  eventsResponseSchema,
  type UnitReason,
  type UnitStatus,
} from '@logstack/contracts'
import { messageOf } from '@logstack/errors'
import type { Logger } from '@logstack/logging'
import { BackOff } from '../back-off.ts'
import { isDiskFull } from '../durable-file.ts'
import { pause } from '../pause.ts'
import { refusedStatus, ServerClient, type ServerOptions } from '../server-client.ts'
import type { BatchLimits, Spool, SpoolBatch } from '../spool/spool.ts'
import { eventsBody } from './events-body.ts'

const timeoutMs = 60_000
const backOffMs = { firstMs: 500, longestMs: 10_000 }
const checkpointEveryMs = 2_000
/** Each request costs a sync of the disk, a compression and an answer, whatever it holds: what trickles in is sent so often, a whole batch at once. */
const sendEveryMs = 1_000
/** A restart of the server, or of the whole stack, is no trouble of the agent: only a longer wait is reported. */
const reportWaitAfterMs = 60_000

/** What the output works with. */
export interface OutputOptions {
  readonly spool: Spool
  readonly logger: Logger
  /** How to reach endpoint-manager, but for its address. */
  readonly server: Omit<ServerOptions, 'url'>
  readonly hosts: readonly string[]
  readonly header: () => EventsHeader
  readonly batch: BatchLimits
  /** Where events go that the server will never take, so that one of them cannot hold up all others. */
  readonly rejectedFile: string
  readonly report: (status: UnitStatus, message: string, reason?: UnitReason) => void
}

/**
 * Sends the spool to endpoint-manager, in order, one batch at a time, and forgets what is acknowledged. Retries for ever with growing waits and
 * goes from host to host; a batch the server finds too large or malformed is halved until the record at fault is alone.
 */
export class Output {
  readonly #options: OutputOptions
  readonly #backOff = new BackOff(backOffMs)
  readonly #clients: ServerClient[]
  #host = 0
  #recordsMax: number
  // Times are milliseconds that only go on: a clock that is set back must not hold up anything.
  #nextCheckpoint = 0
  #nextSend = 0
  /** When the first of the failures began that no success has followed yet. */
  #waitingSince: number | undefined

  constructor(options: OutputOptions) {
    this.#options = options
    this.#recordsMax = options.batch.recordsMax
    this.#clients = options.hosts.map((url) => new ServerClient({ ...options.server, url }))
  }

  async run(signal: AbortSignal): Promise<void> {
    const { spool, batch, report } = this.#options
    if (this.#clients.length === 0) return report('FAILED', 'the policy names no endpoint-manager')
    while (!signal.aborted) {
      await spool.waitForRecords(signal)
      const limits = { ...batch, recordsMax: this.#recordsMax }
      const early = this.#nextSend - performance.now()
      if (early > 0) await spool.waitForBatch(limits, early, signal)
      this.#nextSend = performance.now() + sendEveryMs
      const records = signal.aborted ? undefined : spool.peek(limits)
      if (!records) continue
      try {
        await this.#send(records, signal)
      } catch (thrown) {
        if (!signal.aborted) await this.#recover(thrown, records, signal)
      }
    }
    for (const client of this.#clients) client.close()
  }

  async #send(batch: SpoolBatch, signal: AbortSignal): Promise<void> {
    const { spool, header, report } = this.#options
    const head = header()
    const client = this.#clients[this.#host % this.#clients.length]
    if (!client) throw new Error('BUG: no client')
    const { acknowledged } = await client.request({
      method: 'POST',
      path: agentApiPaths.events.replace(':id', head.agent.id),
      body: await eventsBody(head, batch.records),
      headers: { 'content-type': 'application/x-ndjson', 'content-encoding': 'gzip' },
      timeoutMs,
      signal,
      schema: eventsResponseSchema,
    })
    if (acknowledged !== batch.end.offset)
      throw new Error(`the server acknowledged ${acknowledged}, not ${batch.end.offset}`)
    spool.acknowledge(batch)
    this.#backOff.reset()
    this.#waitingSince = undefined
    this.#recordsMax = Math.min(this.#recordsMax * 2, this.#options.batch.recordsMax)
    if (performance.now() >= this.#nextCheckpoint) {
      this.#nextCheckpoint = performance.now() + checkpointEveryMs
      spool.checkpointIfRoom()
    }
    report('HEALTHY', 'sending events')
  }

  async #recover(thrown: unknown, batch: SpoolBatch, signal: AbortSignal): Promise<void> {
    const status = refusedStatus(thrown)
    const { logger, report, spool } = this.#options
    if (status === 400 || status === 413) {
      const [only] = batch.records
      if (batch.records.length > 1 || !only) {
        this.#recordsMax = Math.max(1, Math.floor(batch.records.length / 2))
        return
      }
      if (this.#keepAside(only)) {
        logger.error({ offset: only.offset, status }, `an event was refused and is kept aside: ${messageOf(thrown)}`)
        spool.acknowledge(batch)
        return
      }
    }
    this.#host += 1
    const waitMs = this.#backOff.next()
    // From then on a host may lose what nobody keeps: datagrams, and files that are rotated away.
    const inputsToo = spool.full ? ', and inputs with them, as the spool is full' : ''
    logger.warn({ pending: spool.pending, wait_ms: waitMs }, `events wait${inputsToo}: ${messageOf(thrown)}`)
    this.#waitingSince ??= performance.now()
    if (spool.full || performance.now() - this.#waitingSince >= reportWaitAfterMs)
      report(
        'DEGRADED',
        `${spool.pending} events wait${inputsToo}: ${messageOf(thrown)}`.slice(0, 1000),
        spool.full ? 'spool_full' : undefined,
      )
    await pause(waitMs, signal)
  }

  /** False on a full disk: the event stays in the spool until there is room. */
  #keepAside(record: SpoolBatch['records'][number]): boolean {
    const { rejectedFile: file } = this.#options
    const size = (): number => statSync(file, { throwIfNoEntry: false })?.size ?? 0
    const before = size()
    try {
      appendFileSync(file, `${JSON.stringify(record)}\n`, { mode: 0o600 })
      return true
    } catch (thrown) {
      if (!isDiskFull(thrown)) throw thrown
      // Not half of it, before the whole of it.
      if (size() > before) truncateSync(file, before)
      return false
    }
  }
}

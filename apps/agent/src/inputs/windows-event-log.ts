import type { PolicyStream } from '@logstack/contracts'
import { z } from 'zod'
import { pause } from '../pause.ts'
import type { InputContext, InputType } from './input.ts'
import { type ChannelOptions, channelOptions, eventQuery } from './windows-event-log/channel-options.ts'
import { placeOf } from './windows-event-log/split-events.ts'
import { newestRecord, queryChannel } from './windows-event-log/wevtutil.ts'

const recordsPerQuery = 500
const busyMs = 1_000
const idleMs = 4_000
const troubleMs = 30_000
// A cleared channel may count from one again; seldom, so it is seldom looked at.
const clearedEveryMs = 60_000
const bookmarkSchema = z.object({ record: z.number() })

/**
 * Subscribes to channels of the Windows Event Log, one a stream: each event goes on as the XML Windows renders of it, from which the decoders make
 * `winlog.*` and ECS fields. Goes on behind the record that was read last. A channel that is not there, or not to be read, is degraded and says why.
 */
export const windowsEventLogInput: InputType = {
  type: 'windows_event_log',
  platform: 'win32',
  async run(input, context) {
    await Promise.all(input.streams.map((stream) => new Channel(stream, context).run()))
  },
}

class Channel {
  readonly #stream: PolicyStream
  readonly #context: InputContext
  readonly #options: ChannelOptions
  readonly #source: string
  #waitMs = busyMs
  #lookAtClearing = 0
  /** The channel counts from the beginning again, and nothing was read of it since. */
  #isCleared = false

  constructor(stream: PolicyStream, context: InputContext) {
    this.#stream = stream
    this.#context = context
    this.#options = channelOptions(stream)
    this.#source = `windows_event_log:${stream.id}:${this.#options.channel}`
  }

  async run(): Promise<void> {
    const { signal } = this.#context
    while (!signal.aborted) {
      if (performance.now() >= this.#lookAtClearing) await this.#lookWhetherCleared()
      await this.#read()
      if (this.#waitMs > 0) await pause(this.#waitMs, signal)
    }
  }

  /** Reads what is new, and sets the wait: none while more waits, longer and longer while nothing comes. */
  async #read(): Promise<void> {
    const context = this.#context
    const stream = this.#stream
    const { channel } = this.#options
    const query = eventQuery(this.#options, this.#isCleared ? 0 : this.#bookmark())
    const answer = await queryChannel({ channel, query, count: recordsPerQuery }, context.signal)
    if (context.signal.aborted) return
    if ('reason' in answer) {
      this.#waitMs = troubleMs
      return context.report(stream.id, 'DEGRADED', `${channel}: ${answer.reason}`)
    }
    context.report(stream.id, 'HEALTHY', `following ${channel}`)
    const records = answer.events.flatMap((xml) => {
      const place = placeOf(xml)
      if (!place) return []
      const { recordId, time } = place
      const event = { message: xml, winlog: { channel }, ...(time === undefined ? {} : { '@timestamp': time }) }
      return [{ data_stream: stream.data_stream, event, source: this.#source, bookmark: { record: recordId } }]
    })
    if (records.length > 0 && (await context.spool.append(records, context.signal))) this.#isCleared = false
    const isMore = answer.events.length >= recordsPerQuery && records.length > 0
    this.#waitMs = isMore ? 0 : records.length > 0 ? busyMs : Math.min(Math.max(this.#waitMs, busyMs) * 2, idleMs)
  }

  async #lookWhetherCleared(): Promise<void> {
    const { signal, logger } = this.#context
    const { channel } = this.#options
    this.#lookAtClearing = performance.now() + clearedEveryMs
    const read = this.#bookmark()
    const newest = await newestRecord(channel, signal)
    if (signal.aborted || this.#isCleared || read === undefined || newest === undefined || newest >= read) return
    logger.warn({ channel, read, newest }, 'the channel was cleared and counts from the beginning again')
    this.#isCleared = true
  }

  #bookmark(): number | undefined {
    return bookmarkSchema.safeParse(this.#context.spool.bookmark(this.#source)).data?.record
  }
}

import { createLogger } from '@logstack/logging'
import { LiveSettings } from '@logstack/settings'
import { expect, it } from 'vitest'
import { Decoders } from '../decoders/decoders.ts'
import { limits } from '../limits.ts'
import { InputLosses } from '../outputs/input-losses.ts'
import type { OutputDocument } from '../outputs/search-output.ts'
import { endpointManagerSettings } from '../settings.ts'
import { EventQueue } from './event-queue.ts'
import { type DescribedEvent, describedSource } from './event-run.ts'
import type { InputServices } from './input.ts'

function start(eventsMax: number) {
  let open = (): void => undefined
  const isOpen = new Promise<void>((resolve) => {
    open = resolve
  })
  const stored: OutputDocument[] = []
  const losses = new InputLosses(() => 0)
  const services = {
    logger: createLogger('test', 'silent'),
    settings: new LiveSettings(endpointManagerSettings, {
      env: { LOGSTACK_ENDPOINT_MANAGER_SYSLOG_QUEUE_EVENTS_MAX: String(eventsMax) },
    }),
    decoders: new Decoders([]),
    output: {
      write: async (documents: readonly OutputDocument[]) => {
        await isOpen
        stored.push(...documents)
      },
    },
    losses,
    now: () => 0,
  } as unknown as InputServices
  return {
    queue: new EventQueue(services, 'test'),
    open,
    stored,
    lost: () => losses.take().map(({ document }) => document['logstack']),
  }
}

const events = (count: number, bytes = 1): DescribedEvent[] =>
  Array.from({ length: count }, (_, n) => ({
    event: { type: 'logs', dataset: 'test', fields: { message: `m${n}` }, collected: 0 },
    bytes,
  }))

it('lets senders that can wait fill a quarter, and those that cannot the rest', async () => {
  const { queue, open, stored, lost } = start(4_000)
  let isTaken = false
  const adding = queue.add(events(1_500), describedSource).then(() => {
    isTaken = true
  })
  await Promise.resolve()
  queue.offer(events(3_100), describedSource)
  expect(lost()).toEqual([{ input: { name: 'test', place: 'queue', lost: 100 } }])
  expect(isTaken).toBe(false)
  open()
  await adding
  await queue.stop(Promise.resolve())
  expect(stored).toHaveLength(1_500 + 3_000)
})

it('takes no more bytes than its limit, however few the events', async () => {
  const { queue, open, stored, lost } = start(4_000)
  queue.offer(events(5, limits.queueBytesMax / 4), describedSource)
  expect(lost()).toEqual([{ input: { name: 'test', place: 'queue', lost: 1 } }])
  open()
  await queue.stop(Promise.resolve())
  expect(stored).toHaveLength(4)
  queue.offer(events(1, limits.queueBytesMax / 4), describedSource)
  expect(lost()).toEqual([])
  await queue.stop(Promise.resolve())
})

it('stores in their order what came in whatever portions, and lets senders that can wait have no more than its requests take', async () => {
  const { queue, open, stored } = start(200_000)
  queue.offer(events(700), describedSource)
  queue.offer(events(1_500), describedSource)
  await queue.add(events(5_800), describedSource)
  let isTaken = false
  const adding = queue.add(events(2_500), describedSource).then(() => {
    isTaken = true
  })
  await Promise.resolve()
  expect(isTaken).toBe(false)
  open()
  await adding
  await queue.stop(Promise.resolve())
  const portions = [700, 1_500, 5_800, 2_500].flatMap((count) =>
    events(count).map(({ event }) => event.fields['message']),
  )
  const inOrder = stored.toSorted((left, right) => (left.id < right.id ? -1 : 1))
  expect(inOrder.map(({ document }) => document['message'])).toEqual(portions)
  expect(new Set(stored.map(({ id }) => id)).size).toBe(10_500)
})

it('tells senders that can wait when there is room again, and those that have gone at once', async () => {
  const { queue, open } = start(400)
  const [staying, leaving] = [new AbortController(), new AbortController()]
  await queue.room(staying.signal)
  await queue.add(events(100), describedSource)
  let hasRoom = false
  const waiting = queue.room(staying.signal).then(() => {
    hasRoom = true
  })
  const gone = queue.room(leaving.signal)
  leaving.abort()
  await gone
  expect(hasRoom).toBe(false)
  open()
  await waiting
  await queue.stop(Promise.resolve())
})

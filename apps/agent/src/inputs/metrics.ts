import type { PolicyStream } from '@logstack/contracts'
import { messageOf } from '@logstack/errors'
import { pauseUntilNext } from '../pause.ts'
import { type InputContext, type InputType, numberOf } from './input.ts'
import { metricSets } from './metrics/registry.ts'

const defaultPeriodMs = 10_000

/** Measures the host every `period_ms`: one stream a metric set, named by its dataset (`system.cpu`). Samples that find the spool full are not taken. */
export const metricsInput: InputType = {
  type: 'metrics',
  platform: 'linux',
  async run(input, context) {
    await Promise.all(input.streams.map((stream) => measure(stream, context)))
  },
}

async function measure(stream: PolicyStream, context: InputContext): Promise<void> {
  const { dataset } = stream.data_stream
  const set = metricSets.find((candidate) => candidate.dataset === dataset)
  if (!set) return context.report(stream.id, 'FAILED', `this agent cannot measure ${dataset}`)
  const sample = set.start()
  const periodMs = numberOf(stream, 'period_ms', defaultPeriodMs)
  while (!context.signal.aborted) {
    try {
      const timestamp = new Date().toISOString()
      const events = context.spool.full ? [] : await sample()
      const records = events.map((event) => ({
        data_stream: stream.data_stream,
        event: {
          '@timestamp': timestamp,
          ...event,
          metricset: { name: dataset.slice(dataset.indexOf('.') + 1), period: periodMs },
        },
      }))
      if (records.length > 0) await context.spool.append(records, context.signal)
      context.report(stream.id, 'HEALTHY', `measuring every ${periodMs} ms`)
    } catch (thrown) {
      context.report(stream.id, 'DEGRADED', messageOf(thrown))
    }
    await pauseUntilNext(periodMs, context.signal)
  }
}

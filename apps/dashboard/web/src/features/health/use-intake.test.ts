import { expect, test } from 'vitest'
import { intakeOf } from './use-intake.ts'

const empty = { hits: { hits: [] } }
const answer = (buckets: unknown) => ({ ...empty, aggregations: { by: { buckets } } })

test('what was not understood comes with its source, the most first; what was understood is left out', () => {
  const inner = (host: string, events: number, unparsed: number) => ({
    key: host,
    events: { value: events },
    unparsed: { value: unparsed },
  })
  const sources = answer([
    { key: 'syslog', inner: { buckets: [inner('fw1', 100, 7), inner('web1', 50, 0)] } },
    { key: 'nginx.access', inner: { buckets: [inner('web1', 10, 9)] } },
  ])
  const inputs = answer([{ key: 'syslog', inner: { buckets: [{ key: 'kernel', lost: { value: 12 } }] } }])
  expect(intakeOf(sources, inputs)).toEqual({
    unread: [
      { dataset: 'nginx.access', host: 'web1', events: 10, unparsed: 9 },
      { dataset: 'syslog', host: 'fw1', events: 100, unparsed: 7 },
    ],
    losses: [{ input: 'syslog', place: 'kernel', lost: 12 }],
  })
})

test('nothing was counted where there is no index yet', () => {
  expect(intakeOf(empty, empty)).toEqual({ unread: [], losses: [] })
})

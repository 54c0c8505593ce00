import { expect, it } from 'vitest'
import { printCompact, readJsonText } from '../../json/json-text.ts'
import { withHumanValues } from './human-values.ts'

const human = (value: unknown): unknown =>
  JSON.parse(printCompact(withHumanValues(readJsonText(JSON.stringify(value)))))

it('adds sizes and times as people read them, beside the numbers', () => {
  expect(
    human({ store: { size_in_bytes: 1536 }, list: [{ time_in_millis: 0 }, { total_time_in_millis: 90_000 }] }),
  ).toEqual({
    store: { size: '1.5kb', size_in_bytes: 1536 },
    list: [
      { time: '0s', time_in_millis: 0 },
      { total_time: '1.5m', total_time_in_millis: 90_000 },
    ],
  })
})

it('gives the time of gets the name that it has besides', () => {
  const get = { time_in_millis: 0, exists_time_in_millis: 0 }
  expect(human({ get })).toEqual({ get: { ...get, time: '0s', getTime: '0s', exists_time: '0s' } })
})

it('writes moments as dates, and leaves names that are taken and values that are no numbers', () => {
  const given = { start_time_in_millis: 0, time_in_millis: 5, time: 'own', size_in_bytes: 'many' }
  expect(human(given)).toEqual({ start_time: '1970-01-01T00:00:00.000Z', ...given })
})

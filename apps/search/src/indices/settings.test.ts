import { describe, expect, it } from 'vitest'
import { changeSettings, parseSettings } from './settings.ts'

const refused = (message: string) => expect.objectContaining({ code: 'illegal_argument_exception', message })

describe('settings of a new index', () => {
  it('are flat texts, however they were written', () => {
    const given = {
      index: { number_of_shards: 2, mapping: { total_fields: { limit: 5000 } }, 'query.default_field': ['a', 'b'] },
      'index.hidden': true,
      refresh_interval: '5s',
      codec: null,
    }
    expect(parseSettings(given)).toEqual({
      number_of_shards: '2',
      'mapping.total_fields.limit': '5000',
      'query.default_field': 'a,b',
      hidden: 'true',
      refresh_interval: '5s',
    })
  })

  it.each<[Record<string, unknown>, string]>([
    [{ number_of_replicas: -1 }, 'Failed to parse value [-1] for setting [index.number_of_replicas] must be >= 0'],
    [{ mode: 'foo' }, 'unknown value [foo] for [index.mode], must be one of [standard, time_series, logsdb, lookup]'],
    [
      { mode: 'lookup', number_of_shards: 2 },
      'index with [lookup] mode must have [index.number_of_shards] set to 1 or unset; provided 2',
    ],
    [{ number_of_shards: 0 }, 'Failed to parse value [0] for setting [index.number_of_shards] must be >= 1'],
    [{ number_of_shards: 1025 }, 'Failed to parse value [1025] for setting [index.number_of_shards] must be <= 1024'],
    [{ number_of_replicas: 'many' }, 'Failed to parse value [many] for setting [index.number_of_replicas]'],
    [{ number_of_replicas: 1.5 }, 'Failed to parse value [1.5] for setting [index.number_of_replicas]'],
    [{ hidden: 'yes' }, 'Failed to parse value [yes] as only [true] or [false] are allowed.'],
    [{ refresh_interval: '5 parsecs' }, 'failed to parse [5 parsecs]'],
    [
      { refresh_interval: '-5s' },
      'failed to parse setting [index.refresh_interval] with value [-5s] as a time value: negative durations are not supported',
    ],
    [
      { refresh_interval: '5x' },
      'failed to parse setting [index.refresh_interval] with value [5x] as a time value: unit is missing or unrecognized',
    ],
    [{ codek: 'default' }, 'unknown setting [index.codek] did you mean any of [index.codec, index.mode]?'],
    [{ codec: 'best' }, 'unknown value for [index.codec] must be one of [default, best_compression] but was: best'],
    [
      { nonsense: 1 },
      'unknown setting [index.nonsense] please check that any required plugins are installed, or check the breaking changes documentation for removed settings',
    ],
    [{ uuid: 'x' }, 'private index setting [index.uuid] can not be set explicitly'],
  ])('%j is refused', (given, message) => expect(() => parseSettings(given)).toThrow(refused(message)))
})

describe('changed settings', () => {
  const index = { name: 'test', uuid: 'u', state: 'open' as const }
  const current = { number_of_replicas: '0', number_of_shards: '1', refresh_interval: '5s' }

  it('keep the others, and null resets', () => {
    const changed = changeSettings(current, { index: { number_of_replicas: 1, refresh_interval: null } }, index)
    expect(changed).toEqual({ number_of_replicas: '1', number_of_shards: '1' })
    expect(changeSettings(changed, { number_of_replicas: null }, index)['number_of_replicas']).toBe('0')
  })

  const reopen =
    ' unless the `reopen` query parameter is set to true. Alternatively, close the indices, apply the settings changes, and reopen the indices'

  it('change only what may change', () => {
    expect(() => changeSettings(current, { number_of_shards: 2 }, { ...index, state: 'close' })).toThrow(
      refused('final test setting [index.number_of_shards], not updateable'),
    )
    expect(() => changeSettings(current, { number_of_shards: 2 }, index)).toThrow(
      refused(`Can't update non dynamic settings [[index.number_of_shards]] for open indices [[test/u]]${reopen}`),
    )
    expect(() => changeSettings(current, { codec: 'best_compression' }, index)).toThrow(
      refused(`Can't update non dynamic settings [[index.codec]] for open indices [[test/u]]${reopen}`),
    )
    expect(changeSettings(current, { codec: 'best_compression' }, { ...index, state: 'close' })['codec']).toBe(
      'best_compression',
    )
  })
})

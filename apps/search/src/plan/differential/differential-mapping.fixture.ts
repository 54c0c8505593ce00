import fc from 'fast-check'
import { mapping } from './differential.fixture.ts'

/** Ways to map the fields of random documents otherwise; every document fits all of them. */
const ways: Readonly<Record<string, readonly object[]>> = {
  name: [
    { type: 'keyword' },
    { type: 'keyword', ignore_above: 3 },
    { type: 'keyword', null_value: 'none' },
    { type: 'keyword', normalizer: 'lowercase' },
    { type: 'wildcard' },
  ],
  one: [{ type: 'keyword' }, { type: 'keyword', null_value: 'none' }],
  x: [{ type: 'double' }, { type: 'float' }, { type: 'half_float' }, { type: 'scaled_float', scaling_factor: 100 }],
  text: [
    { type: 'text' },
    { type: 'text', analyzer: 'english' },
    { type: 'text', analyzer: 'whitespace' },
    { type: 'text', analyzer: 'simple' },
    { type: 'text', fields: { raw: { type: 'keyword' } } },
  ],
  n: [{ type: 'long' }, { type: 'long', null_value: 2 }, { type: 'double' }],
  d: [{ type: 'double' }, { type: 'double', null_value: 0.5 }, { type: 'float' }],
  b: [{ type: 'boolean' }, { type: 'boolean', null_value: true }],
  ip: [{ type: 'ip' }, { type: 'ip', null_value: '10.0.0.7' }],
  t: [{ type: 'date' }, { type: 'date', format: 'strict_date_optional_time||epoch_millis' }],
}

/** A random mapping that random documents fit, with their number `pk`. */
export const mappings = fc
  .record(Object.fromEntries(Object.entries(ways).map(([field, types]) => [field, fc.constantFrom(...types)])))
  .map((chosen) => ({ properties: { ...mapping.properties, ...chosen, pk: { type: 'integer' } } }))

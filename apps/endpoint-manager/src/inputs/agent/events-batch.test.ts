import { describe, expect, it } from 'vitest'
import { readEventsBatch } from './events-batch.ts'

const id = '0b6d7a52-3a59-4d0c-9a66-0c5a2f9f6f10'
const header = { agent: { id, name: 'web1', version: '0.1.0' }, spool: '0a1b2c3d' }
const record = (offset: number) => ({
  offset,
  time: 1,
  data_stream: { type: 'logs', dataset: 'a.b' },
  event: { message: 'x' },
})
const body = (...lines: unknown[]): Buffer => Buffer.from(`${lines.map((line) => JSON.stringify(line)).join('\n')}\n`)

describe('readEventsBatch', () => {
  it('reads a header and records', () => {
    const batch = readEventsBatch(body(header, record(3), record(5)), id)
    expect(batch.records.map((one) => one.offset)).toEqual([3, 5])
  })

  it.each([
    ['nothing', Buffer.alloc(0), /line 1/],
    ['no JSON', Buffer.from('{'), /line 1: no JSON/],
    ['another agent', body({ ...header, agent: { ...header.agent, id: crypto.randomUUID() } }), /another agent/],
    ['offsets that stand still', body(header, record(3), record(3)), /line 3: offsets do not rise/],
    [
      'a dataset that would leave its data stream',
      body(header, { ...record(1), data_stream: { type: 'logs', dataset: 'a-b' } }),
      /line 2/,
    ],
    ['a spool that is no name', body({ ...header, spool: '../../x' }, record(1)), /line 1/],
    ['a broken later line', Buffer.concat([body(header, record(1)), Buffer.from('{"offset":')]), /line 3: no JSON/],
  ])('refuses %s', (_, bytes, message) => {
    expect(() => readEventsBatch(bytes, id)).toThrow(message)
  })
})

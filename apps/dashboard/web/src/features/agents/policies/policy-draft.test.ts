import type { PolicyStream } from '@logstack/contracts'
import { describe, expect, it } from 'vitest'
import {
  isDataset,
  jsonOf,
  linesOf,
  listOf,
  type PolicyDraft,
  readDraft,
  withFiles,
  withInput,
  withoutStream,
  withStream,
} from './policy-draft.ts'

const stream = (id: string, more: object = {}): PolicyStream => ({
  id,
  data_stream: { type: 'logs', dataset: 'app' },
  ...more,
})
const draft: PolicyDraft = {
  name: 'Web',
  inputs: [
    { id: 'file', type: 'file', streams: [stream('a', { paths: ['/a'], multiline: { pattern: '^ ' } }), stream('b')] },
    { id: 'journald', type: 'journald', use_output: 'default', streams: [stream('j')] },
  ],
  collectPaths: undefined,
}

describe('a draft of a policy', () => {
  it('switches inputs and streams off and on again, and nothing else', () => {
    const off = withInput(withStream(draft, 'file', 'b', { enabled: false }), 'journald', false)
    expect(off.inputs[0]?.streams).toEqual([draft.inputs[0]?.streams[0], { ...stream('b'), enabled: false }])
    expect(off.inputs[1]).toEqual({ ...draft.inputs[1], enabled: false })
    expect(withInput(withStream(off, 'file', 'b', { enabled: true }), 'journald', true)).toEqual(draft)
  })

  it('keeps of a stream what was not changed', () => {
    const changed = withStream(draft, 'file', 'a', { paths: ['/x', '/y'] }).inputs[0]?.streams[0]
    expect(changed).toEqual(stream('a', { paths: ['/x', '/y'], multiline: { pattern: '^ ' } }))
    expect(withoutStream(draft, 'file', 'a').inputs[0]?.streams).toEqual([stream('b')])
  })

  it('adds files under an id that is free, and the input where there is none', () => {
    const twice = withFiles(withFiles(draft, 'shop', ['/s']), 'shop', ['/t'])
    expect(twice.inputs[0]?.streams.slice(2)).toEqual([
      { id: 'file-shop', data_stream: { type: 'logs', dataset: 'shop' }, paths: ['/s'] },
      { id: 'file-shop-2', data_stream: { type: 'logs', dataset: 'shop' }, paths: ['/t'] },
    ])
    const none = withFiles({ ...draft, inputs: [{ id: 'file', type: 'journald', streams: [] }] }, 'shop', ['/s'])
    expect(none.inputs[1]).toMatchObject({ id: 'file-2', type: 'file', streams: [{ id: 'file-shop' }] })
  })

  it('is the same after it was written and read as JSON', () => {
    const collected = { ...draft, collectPaths: ['/var/log/**'] }
    for (const each of [draft, collected])
      expect(readDraft('Web', JSON.parse(JSON.stringify(jsonOf(each))))).toEqual(each)
  })

  it.each([
    [{}],
    [{ inputs: {} }],
    [{ inputs: [null] }],
    [{ inputs: [{ id: 'a', type: 'file' }] }],
    [{ inputs: [{ id: 'a', type: 'file', streams: [{ id: 'x' }] }] }],
    [{ inputs: [], collect_paths: 'x' }],
  ])('is not read from %j', (value) => {
    expect(readDraft('Web', value)).toMatchObject({ problem: expect.stringContaining('expected "') })
  })
})

it('takes lines that say something, and lists of texts', () => {
  expect(linesOf(' /a \n\n\t/b\n')).toEqual(['/a', '/b'])
  expect(listOf(stream('a', { paths: ['/a'] }), 'paths')).toEqual(['/a'])
  expect(listOf(stream('a', { paths: '/a' }), 'paths')).toBeUndefined()
  expect(['nginx.access', 'A', '', 'a-b'].map(isDataset)).toEqual([true, false, false, false])
})

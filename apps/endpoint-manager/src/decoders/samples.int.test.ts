import { describe, expect, it } from 'vitest'
import { type Fields, getField } from '../ecs/fields.ts'
import { readDecoderFiles } from './decoder-file.ts'
import { Decoders } from './decoders.ts'
import { documentOf, readSamples } from './samples.testing.ts'

const folder = new URL('../../../../rules/decoders/', import.meta.url).pathname
const { files, problems } = readDecoderFiles(folder)
const decoders = new Decoders(files)
const samples = readSamples(`${folder}samples`)
const time = { now: 0 }

describe('shipped decoders', () => {
  it('can all be read, have a name of their own and samples', () => {
    expect(problems).toEqual([])
    const names = files.map(({ name }) => name)
    expect(new Set(names).size).toBe(names.length)
    expect(names.filter((name) => !samples.some(({ decoder }) => decoder === name))).toEqual([])
    expect(samples.filter(({ decoder }) => !names.includes(decoder))).toEqual([])
  })

  it.each(samples)('$decoder/$event reads "$log"', (sample) => {
    expect(documentOf(sample, decoders)).toEqual({ decoded: `${sample.decoder}/${sample.event}`, ...sample.document })
  })

  // Every one of these makes a backtracking engine wander; with an engine that never ends on them, neither would this test.
  it.each([
    '',
    'a',
    ': ; = ; =',
    `${' '.repeat(20_000)}x`,
    `Failed ${'from '.repeat(5_000)}`,
    `${'a'.repeat(30_000)}=`,
    `${'<Event '.repeat(4_000)}<Channel>Security</Channel>`,
    `CEF:${'|a=b c='.repeat(4_000)}`,
    `%ASA-6-302013: Built ${'outside:1/1 '.repeat(2_000)}`,
    `devid=${'"\\'.repeat(9_000)}`,
    `${'{"a":'.repeat(5_000)}`,
    `audit(1.1:1): ${"msg='".repeat(5_000)}`,
  ])('leave what they do not know alone, and come to an end', (message) => {
    for (const program of [
      'sshd',
      'sudo',
      'nginx',
      'kernel',
      'named',
      'postfix/smtpd',
      'suricata',
      'filterlog',
      'other',
    ]) {
      const document: Fields = {}
      if (!decoders.decode({ program, dataset: 'zeek.log', path: '/x/zeek/a.log' }, message, document, time)) {
        expect(document).toEqual({})
      }
    }
  })

  it('set nothing of the prototype of objects, whatever an event is called', () => {
    const log =
      '{"event_type":"alert","__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}},"alert":{}}'
    const document: Fields = {}
    decoders.decode({ path: '/var/log/suricata/eve.json' }, log, document, time)
    expect(getField(document, 'event.action')).toBe('alert')
    expect(({} as Fields)['polluted']).toBeUndefined()
  })
})

import { describe, expect, it } from 'vitest'
import { type Fields, getField } from '../ecs/fields.ts'
import { readDecoderFiles } from './decoder-file.ts'
import { Decoders } from './decoders.ts'

const files = readDecoderFiles(new URL('../../../../rules/decoders', import.meta.url).pathname)
const decoders = new Decoders(files)
const samples = files.flatMap((file) =>
  file.events.flatMap((event) =>
    event.samples.map((sample) => ({ file, event, sample, title: `${file.name}/${event.name}` })),
  ),
)

describe('shipped decoders', () => {
  it('are there, each with its own name', () => {
    const names = files.map((file) => file.name)
    expect(names).toEqual(expect.arrayContaining(['cron', 'pam', 'sshd', 'su', 'sudo', 'systemd']))
    expect(new Set(names).size).toBe(names.length)
  })

  it.each(samples)('$title reads "$sample.message"', ({ file, event, sample }) => {
    const document: Fields = {}
    const decoded = decoders.decode(sample.program ?? file.programs[0] ?? '', sample.message, document)
    expect(decoded).toMatchObject({ decoder: file.name, event: event.name })
    for (const [field, expected] of Object.entries(sample.fields)) {
      expect(getField(document, field), field).toEqual(expected ?? undefined)
    }
  })

  it.each(['', 'a', ': ; = ; =', `${' '.repeat(20_000)}x`, `Failed ${'from '.repeat(5_000)}`])(
    'leave what they do not know alone',
    (message) => {
      for (const program of ['sshd', 'sudo', 'su', 'systemd', 'cron', 'other']) {
        const document: Fields = {}
        if (!decoders.decode(program, message, document)) expect(document).toEqual({})
      }
    },
  )
})

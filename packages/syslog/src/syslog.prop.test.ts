import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createFramer, framePiecesMax } from './framing.ts'
import { parseSyslog } from './parse.ts'
import { resolveTimestamp } from './timestamp.ts'

const hostile = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 200 }),
  fc.string({ maxLength: 60 }).map((text) => `<34>1 ${text}`),
  fc.string({ maxLength: 60 }).map((text) => `<34>1 - h a p m [${text}`),
  fc.string({ maxLength: 60 }).map((text) => `<13>Nov 21 10:00:00 ${text}`),
)

describe('parsing properties', () => {
  it('parsing never throws and never loses the end of the text', () => {
    fc.assert(
      fc.property(hostile, (text) => {
        const parsed = parseSyslog(text)
        expect(text.startsWith(parsed.raw)).toBe(true)
        expect(parsed.raw.endsWith(parsed.message)).toBe(true)
      }),
    )
  })

  it('structured data that was printed is read back', () => {
    const name = fc.stringMatching(/^[A-Za-z0-9_@.]{1,32}$/)
    const values = fc.dictionary(name, fc.string({ maxLength: 20 }), { maxKeys: 4 })
    fc.assert(
      fc.property(
        fc.dictionary(name, values, { minKeys: 1, maxKeys: 3 }),
        fc.string({ maxLength: 20 }),
        (data, tail) => {
          const print = (value: string): string => value.replace(/[\\"\]]/g, (char) => `\\${char}`)
          const printed = Object.entries(data)
            .map(([id, parameters]) => {
              const pairs = Object.entries(parameters).map(([key, value]) => ` ${key}="${print(value)}"`)
              return `[${id}${pairs.join('')}]`
            })
            .join('')
          const message = `m${tail}e`
          const parsed = parseSyslog(`<34>1 - h a p m ${printed} ${message}`)
          expect(JSON.parse(JSON.stringify(parsed.structuredData))).toEqual(JSON.parse(JSON.stringify(data)))
          expect(parsed.message).toBe(message)
        },
      ),
    )
  })

  it('times never throw', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 40 }), (text) => {
        const time = resolveTimestamp(text, { now: 0 })
        expect(time === undefined || !Number.isNaN(Date.parse(time))).toBe(true)
      }),
    )
  })
})

describe('framing properties', () => {
  it('framing gives the same frames however the bytes are cut', () => {
    const line = fc
      .string({ unit: 'grapheme', minLength: 1, maxLength: 30 })
      .map((text) => `<1>${text.replaceAll('\n', ' ')}`)
    const frame = fc.record({ text: line, counted: fc.boolean() })
    fc.assert(
      fc.property(fc.array(frame, { maxLength: 12 }), fc.array(fc.integer({ min: 1, max: 40 })), (frames, cuts) => {
        const wire = Buffer.concat(
          frames.map(({ text, counted }) =>
            Buffer.from(counted ? `${Buffer.byteLength(text)} ${text}` : `${text}\n`, 'utf8'),
          ),
        )
        const framer = createFramer({ frameBytesMax: 1000 })
        const got: string[] = []
        let at = 0
        for (const cut of cuts) {
          got.push(...framer.push(wire.subarray(at, at + cut)))
          at += cut
        }
        got.push(...framer.push(wire.subarray(at)), ...framer.end())
        expect(got).toEqual(frames.map((one) => one.text))
      }),
    )
  })

  it('framing hands out what is longer than the limit in pieces and keeps every byte', () => {
    fc.assert(
      fc.property(fc.nat({ max: 300 }), fc.boolean(), (length, counted) => {
        const text = 'x'.repeat(length + 1)
        const framer = createFramer({ frameBytesMax: 16 })
        const got = [...framer.push(Buffer.from(counted ? `${text.length} ${text}` : `${text}\n`)), ...framer.end()]
        expect(got.join('')).toBe(text)
        expect(Math.max(...got.map((piece) => piece.length))).toBeLessThanOrEqual(16)
        expect(framer.isOverlong).toBe(false)
      }),
    )
  })

  it('a piece that begins like a counted frame belongs to its line', () => {
    const framer = createFramer({ frameBytesMax: 16 })
    const line = `${'x'.repeat(16)}5 words that go on`
    expect(framer.push(Buffer.from(`${line}\nnext\n`)).join('|')).toBe(`${'x'.repeat(16)}|5 words that go |on|next`)
  })

  it('a line without an end, and a count beyond all messages, are given up', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 4000 }), (size) => {
        const framer = createFramer({ frameBytesMax: 16 })
        const got: string[] = [...framer.push(Buffer.from('first\n'))]
        for (let sent = 0; sent < 8000; sent += size) got.push(...framer.push(Buffer.alloc(size, 'x')))
        got.push(...framer.end())
        expect(framer.isOverlong).toBe(true)
        expect(got).toEqual(['first', ...Array.from({ length: framePiecesMax }, () => 'x'.repeat(16))])
      }),
    )
    const counted = createFramer({ frameBytesMax: 16 })
    expect(counted.push(Buffer.from('5 first999999999 <13>rest'))).toEqual(['first'])
    expect(counted.isOverlong).toBe(true)
    expect([...counted.push(Buffer.from('more\n')), ...counted.end()]).toEqual([])
  })
})

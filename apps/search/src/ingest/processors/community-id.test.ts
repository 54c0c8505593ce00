import { describe, expect, it } from 'vitest'
import { buildPipeline } from '../build-pipeline.ts'
import { IngestDocument } from '../ingest-document.ts'
import { runPipeline } from '../run-steps.ts'
import { noSources } from '../testing/no-sources.ts'

function run(options: object, source: Record<string, unknown>): Record<string, unknown> {
  const pipeline = buildPipeline('p', { processors: [{ community_id: options }] }, noSources)
  const document = new IngestDocument(source, {}, '2026-01-01T00:00:00Z')
  runPipeline(pipeline, document, { find: () => undefined, inside: [], nowMs: 0 })
  return document.source()
}

const flow = (transport: string, [sourceIp, sourcePort]: [string, number], [ip, port]: [string, number]) => ({
  source: { ip: sourceIp, port: sourcePort },
  destination: { ip, port },
  network: { transport },
})

const idOf = (source: Record<string, unknown>, options: object = {}): unknown =>
  Object(run(options, source)['network']).community_id

describe('community_id', () => {
  // The values are the baselines of the published specification.
  it('is what the specification computes, in both directions', () => {
    const there = flow('tcp', ['128.232.110.120', 34_855], ['66.35.250.204', 80])
    const back = flow('TCP', ['66.35.250.204', 80], ['128.232.110.120', 34_855])
    expect(idOf(structuredClone(there))).toBe('1:LQU9qZlK+B5F3KDmev6m5PMibrg=')
    expect(idOf(back)).toBe('1:LQU9qZlK+B5F3KDmev6m5PMibrg=')
    expect(idOf(there, { seed: 1 })).toBe('1:3V71V58M3Ksw/yuFALMcW0LAHvc=')
  })

  it('joins questions and answers of ICMP', () => {
    const echo = (type: number, [from, to]: [string, string]) => ({
      source: { ip: from },
      destination: { ip: to },
      network: { transport: 'icmp' },
      icmp: { type, code: 0 },
    })
    expect(idOf(echo(8, ['192.168.0.89', '192.168.0.1']))).toBe('1:X0snYXpgwiv9TZtqg64sgzUn6Dk=')
    expect(idOf(echo(0, ['192.168.0.1', '192.168.0.89']))).toBe('1:X0snYXpgwiv9TZtqg64sgzUn6Dk=')
  })

  it('reads addresses of version 6', () => {
    const id = (ip: string) => idOf(flow('udp', [ip, 1], ['fe80::2', 2]))
    expect(id('fe80::1')).toBe(id('FE80:0:0:0:0:0:0:1'))
    expect(id('::ffff:1.2.3.4')).toBe(id('::ffff:102:304'))
  })

  it('leaves a document without a flow alone, or refuses it', () => {
    expect(run({}, { a: 1 })).toEqual({ a: 1 })
    expect(() => run({ ignore_missing: false }, { a: 1 })).toThrow(
      'ip address in the field [source.ip] is null or empty',
    )
    const fields = { source_ip_field: 'from', destination_ip_field: 'to' }
    expect(() => run(fields, { to: '1.1.1.1' })).toThrow('ip address in the field [from] is null or empty')
    expect(() => run(fields, { from: 'x', to: '1.1.1.1' })).toThrow("'x' is not an IP string literal.")
  })
})

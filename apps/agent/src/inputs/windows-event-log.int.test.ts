import { chmodSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { InputTrial } from '../run-input.testing.ts'
import { windowsEventLogInput } from './windows-event-log.ts'

// Windows' own tool as far as the input uses it: it answers from a folder with one JSON list of events a channel, in UTF-16 as the real one does.
const tool = `#!${process.execPath}
const { existsSync, readFileSync, appendFileSync } = require('node:fs')
const [verb, channel, ...options] = process.argv.slice(2)
const option = (name) => options.find((one) => one.startsWith('/' + name + ':'))?.slice(name.length + 2)
const file = __dirname + '/' + channel.replaceAll('/', '%4') + '.json'
appendFileSync(__dirname + '/asked.log', JSON.stringify({ channel, query: option('q') }) + '\\n')
if (verb !== 'qe' || option('f') !== 'RenderedXml' || option('uni') !== 'true') process.exit(87)
if (!existsSync(file)) {
  process.stderr.write('Failed to read events.\\r\\nThe specified channel could not be found.\\r\\n')
  process.exit(15007)
}
const after = Number(/EventRecordID > (\\d+)/.exec(option('q') ?? '')?.[1] ?? -1)
const events = JSON.parse(readFileSync(file, 'utf8')).filter((xml) => Number(/<EventRecordID>(\\d+)/.exec(xml)[1]) > after)
if (option('rd') === 'true') events.reverse()
process.stdout.write(Buffer.from(events.slice(0, Number(option('c'))).join('\\r\\n'), 'utf16le'))
`

const samples = new URL('../../../../rules/decoders/samples/windows-security.yml', import.meta.url)
const { samples: decoded } = parse(readFileSync(samples, 'utf8')) as { samples: { log: string }[] }
const sample = decoded[0]?.log ?? ''
const numbered = (record: number): string =>
  sample
    .replace(/<EventRecordID>\d+</, `<EventRecordID>${record}<`)
    .replace('</Event>', `<!-- Grüße\r\n${record} --></Event>`)

let trial: InputTrial
const path = process.env['PATH']

function channelHolds(name: string, records: readonly number[]): void {
  writeFileSync(join(trial.path, `${name.replaceAll('/', '%4')}.json`), JSON.stringify(records.map(numbered)))
}

const recordsRead = (): number[] =>
  trial.events().map(({ message }) => Number(/<EventRecordID>(\d+)/.exec(String(message))?.[1]))

const asked = (): { channel: string; query?: string }[] =>
  readFileSync(join(trial.path, 'asked.log'), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { channel: string })

beforeEach(() => {
  trial = new InputTrial()
  writeFileSync(join(trial.path, 'wevtutil'), tool)
  chmodSync(join(trial.path, 'wevtutil'), 0o755)
  process.env['PATH'] = `${trial.path}:${path}`
  return async () => {
    process.env['PATH'] = path
    await trial.end()
  }
})

const start = (keys: Record<string, unknown> = {}): void =>
  trial.start(windowsEventLogInput, 'windows.security', { channel: 'Security', ...keys })

describe('the Windows Event Log', () => {
  it('hands on each event once, as Windows renders it, and goes on behind the last one after a restart', async () => {
    channelHolds('Security', [7, 8])
    start()
    await trial.until('the first two', () => trial.count() === 2)
    channelHolds('Security', [7, 8, 9])
    await trial.until('a third while it runs', () => trial.count() === 3)
    await trial.stop()
    channelHolds('Security', [7, 8, 9, 10, 11])
    start()
    await trial.until('those of the time between', () => trial.count() === 5)
    expect(recordsRead()).toEqual([7, 8, 9, 10, 11])
    expect(trial.status).toBe('HEALTHY')
    const [first] = trial.events()
    expect(first?.['message']).toBe(numbered(7))
    expect(first).toMatchObject({ winlog: { channel: 'Security' } })
    expect(Date.parse(String(first?.['@timestamp']))).toBe(Date.parse(/SystemTime='([^']+)'/.exec(sample)?.[1] ?? ''))
  })

  it('asks for a young part of an unread channel, then for what is behind the last record, and for what the policy wants', async () => {
    channelHolds('Microsoft-Windows-Sysmon/Operational', [41])
    start({
      channel: 'Microsoft-Windows-Sysmon/Operational',
      first_hours: 2,
      event_ids: [1, 3],
      exclude_event_ids: [5],
      level_max: 4,
    })
    await trial.until('a second look', () => trial.count() === 1 && asked().filter(({ query }) => query).length > 1)
    const wanted = '(EventID=1 or EventID=3) and EventID!=5 and Level <= 4]]'
    const queries = asked().flatMap(({ query }) => query ?? [])
    expect(queries[0]).toBe(`*[System[TimeCreated[timediff(@SystemTime) <= 7200000] and ${wanted}`)
    expect(queries[1]).toBe(`*[System[EventRecordID > 41 and ${wanted}`)
  })

  it('reads more than one answer holds, and a channel that was cleared from its beginning', async () => {
    channelHolds(
      'Security',
      Array.from({ length: 1_203 }, (_, index) => index + 1),
    )
    start()
    await trial.until('all of a long channel', () => trial.count() === 1_203)
    expect(new Set(recordsRead()).size).toBe(1_203)
    await trial.stop()
    channelHolds('Security', [1, 2])
    start()
    await trial.until('what came after the clearing', () => trial.count() === 1_205)
    expect(recordsRead().slice(-2)).toEqual([1, 2])
  })

  it('says why a channel cannot be read, and that a host has no event log', async () => {
    start({ channel: 'Nowhere' })
    await trial.until('the reason', () => trial.message.includes('could not be found'))
    expect(trial.status).toBe('DEGRADED')
    await trial.stop()
    process.env['PATH'] = '/nowhere'
    start()
    await trial.until('the reason', () => trial.message.includes('no Windows Event Log'))
    expect(trial.status).toBe('DEGRADED')
  })

  it('refuses a channel that is none', async () => {
    const stream = { id: 'x', data_stream: { type: 'logs' as const, dataset: 'x' }, channel: 'a" /q:*' }
    const input = { id: 'x', type: 'windows_event_log', streams: [stream] }
    await expect(windowsEventLogInput.run(input, trial.context())).rejects.toThrow(/channel: a channel is letters/)
  })
})

import { describe, expect, it } from 'vitest'
import { readSamples } from '../../../decoders/samples.testing.ts'
import { limits } from '../../../limits.ts'
import { builtOf, documentOf, message } from '../wazuh-event.testing.ts'

const start = 'f:EventChannel'
const samples = readSamples(new URL('../../../../../../rules/decoders/samples', import.meta.url).pathname).filter(
  ({ decoder, log }) => decoder.startsWith('windows') && !log.includes('<RenderingInfo'),
)

const event = (system: string, data = ''): string =>
  `<Event xmlns='http://schemas.microsoft.com/win/2004/08/events/event'><System><Provider Name='P'/><EventID>7</EventID><TimeCreated SystemTime='2026-11-28T13:00:00.5Z'/>${system}</System>${data}</Event>`

/** Each field of a sample by its dotted name. */
function valueAt(document: unknown, name: string): unknown {
  const found = name
    .split('.')
    .reduce((at: unknown, step) => (at as Record<string, unknown> | undefined)?.[step], document)
  return found instanceof Date ? found.toISOString() : found
}

describe('events of the Windows Event Log', () => {
  it('has samples of every channel to look at', () => {
    const decoders = ['windows', 'windows-defender', 'windows-security', 'windows-sysmon', 'windows-system']
    expect([...new Set(samples.map(({ decoder }) => decoder))]).toEqual(expect.arrayContaining(decoders))
  })

  it.each(samples)(
    'give the fields that they have from our own agent: $decoder/$event',
    ({ log, document, decoder, event: name }) => {
      const said = 'Something happened.\r\n\tName: <a> & "b"'
      const built = builtOf(message(start, { Message: said, Event: log }))
      expect(built?.decoded).toMatchObject({ decoder, event: name })
      // What is said in words instead of XML, and what is the host's own name.
      const { message: _message, ...fields } = document
      for (const [field, expected] of Object.entries(fields)) {
        const wanted = expected instanceof Date ? expected.toISOString() : expected
        expect([field, valueAt(built?.document, field)]).toEqual([field, wanted])
      }
      expect(built?.document['message']).toBe(said)
      expect(valueAt(built?.document, 'event.original')).toContain('<EventID')
    },
  )

  it.each([
    ['Security', 'windows.security'],
    ['System', 'windows.system'],
    ['Application', 'windows.application'],
    ['Microsoft-Windows-PowerShell/Operational', 'windows.powershell_operational'],
    ['Windows PowerShell', 'windows.powershell_operational'],
    ['Microsoft-Windows-Windows Defender/Operational', 'windows.defender'],
    ['Microsoft-Windows-Sysmon/Operational', 'windows.sysmon_operational'],
    ['Microsoft-Windows-TaskScheduler/Operational', 'windows.forwarded'],
  ])('of channel %s are of %s', (channel, dataset) => {
    const xml = event(`<Channel>${channel}</Channel><Computer>ws1.example.org</Computer>`)
    expect(builtOf(message(start, { Event: xml }))).toMatchObject({
      index: `logs-${dataset}-default`,
      document: {
        '@timestamp': '2026-11-28T13:00:00.500Z',
        message: xml,
        winlog: { channel },
        event: { code: '7' },
        host: { name: 'web1', hostname: 'ws1.example.org' },
      },
    })
  })
})

describe('the words of events of Windows', () => {
  it('are those in the XML where it has some, and none are put into one that is cut', () => {
    const rendered = event('<Channel>X</Channel>', '<RenderingInfo><Message>own words</Message></RenderingInfo>')
    expect(documentOf(message(start, { Message: 'others', Event: rendered }))).toMatchObject({ message: 'own words' })
    const cut = event('<Channel>X</Channel>').slice(0, -4)
    expect(documentOf(message(start, { Message: 'words', Event: cut }))).toMatchObject({ message: cut })
  })

  it('are kept beside it where they are too long, so that it is decoded all the same', () => {
    const xml = event(
      '<Channel>Security</Channel>',
      `<EventData><Data Name='A'>${'a'.repeat(20_000)}</Data></EventData>`,
    )
    const text = JSON.stringify({ Message: 'w'.repeat(limits.decodedCharactersMax - 20_000), Event: xml })
    expect(documentOf(`${start}:${text}`)).toMatchObject({ event: { code: '7', original: text }, message: xml })
  })

  it('are all there is from the old interface', () => {
    const line = '2026 Nov 28 15:00:00 WinEvtLog: Security: AUDIT_SUCCESS(4624): S: ann: EX: ws1: An account logged on.'
    expect(builtOf(`1:WinEvtLog:${line}`)).toMatchObject({
      index: 'logs-windows.eventlog-default',
      document: { message: expect.stringContaining('An account logged on.') },
    })
  })
})

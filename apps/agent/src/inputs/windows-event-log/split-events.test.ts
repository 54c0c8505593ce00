import { describe, expect, it } from 'vitest'
import { placeOf, splitEvents } from './split-events.ts'

const event = (id: number, data = ''): string =>
  `<Event xmlns='http://schemas.microsoft.com/win/2004/08/events/event'><System><TimeCreated SystemTime='2026-11-22T03:25:32.1234567Z'/><EventRecordID>${id}</EventRecordID></System>${data}</Event>`

describe('splitEvents', () => {
  it('finds events with line breaks, elements of the same or a similar name, and leaves out what is broken off', () => {
    const lines = event(1, '<RenderingInfo><Message>one\r\ntwo</Message></RenderingInfo>')
    const nested = event(2, "<UserData><EventXML><Event a='1'><b/></Event><Event/></EventXML></UserData>")
    expect(splitEvents(`${lines}\r\n${nested}${event(3)}\n${event(4).slice(0, -3)}`)).toEqual([lines, nested, event(3)])
    expect(splitEvents('</Event>')).toEqual([])
    expect(splitEvents('')).toEqual([])
  })
})

describe('placeOf', () => {
  it('is the record id and the time', () => {
    expect(placeOf(event(77))).toEqual({ recordId: 77, time: '2026-11-22T03:25:32.123Z' })
    expect(placeOf('<Event><System/></Event>')).toBeUndefined()
    expect(placeOf("<Event><TimeCreated SystemTime='0000-99-99T99'/><EventRecordID>1</EventRecordID></Event>")).toEqual(
      { recordId: 1, time: undefined },
    )
  })
})

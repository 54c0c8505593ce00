const tags = /<(\/?)Event(?=[\s>])[^>]*>/g

/** The events of what `wevtutil` prints: one `<Event>` element after another, each with its line breaks. What is no whole event is left out. */
export function splitEvents(text: string): string[] {
  const events: string[] = []
  let depth = 0
  let start = 0
  for (const tag of text.matchAll(tags)) {
    const isEnd = tag[1] === '/'
    // A provider's own data may hold elements of the same name.
    if (!isEnd && !tag[0].endsWith('/>')) {
      if (depth === 0) start = tag.index
      depth += 1
    }
    if (!isEnd || depth === 0) continue
    depth -= 1
    if (depth === 0) events.push(text.slice(start, tag.index + tag[0].length))
  }
  return events
}

/** What the input itself has to know of an event; everything else is the decoder's. */
export interface EventPlace {
  readonly recordId: number
  /** As the event has it, in ISO 8601. */
  readonly time: string | undefined
}

/** Where an event stands in its channel; undefined for one without a record id. */
export function placeOf(event: string): EventPlace | undefined {
  const id = /<EventRecordID>(\d{1,16})<\/EventRecordID>/.exec(event)?.[1]
  if (id === undefined) return undefined
  const written = /<TimeCreated\s+SystemTime=["']([^"']{10,40})["']/.exec(event)?.[1]
  const time = Date.parse(written ?? '')
  return { recordId: Number(id), time: Number.isNaN(time) ? undefined : new Date(time).toISOString() }
}

const hourMs = 3_600_000
/** Zones change their offset months apart; what is read around a change is judged by those before and after it. */
const aroundMs = 15 * hourMs
/** In an hour that a clock shows twice, the second is meant once it has begun, whoever's clock is ahead by so much. */
const aheadMs = 10 * 60_000

const formats = new Map<string, Intl.DateTimeFormat | undefined>()

/** Whether a text is a zone: an offset (`+02:00`), or a name of the time zone database (`Europe/Berlin`). */
export function isTimezone(text: string): boolean {
  return fixedOffsetMs(text) !== undefined || formatOf(text) !== undefined
}

/**
 * How far a zone is ahead of UTC, in milliseconds, when its clocks show `localMs` (what they show, read as UTC); undefined for what is no zone. Of an hour
 * that is shown twice the one that is over or under way at `nowMs` is taken, and one that is left out counts on from before it.
 */
export function zoneOffsetMs(zone: string | undefined, localMs: number, nowMs: number): number | undefined {
  if (zone === undefined || zone === 'Z') return 0
  const fixed = fixedOffsetMs(zone)
  if (fixed !== undefined) return fixed
  const format = formatOf(zone)
  if (format === undefined || Number.isNaN(localMs)) return undefined
  const [before, after] = [offsetAt(format, localMs - aroundMs), offsetAt(format, localMs + aroundMs)]
  if (before === after) return before
  const isAfter = offsetAt(format, localMs - after) === after
  const isBefore = offsetAt(format, localMs - before) === before
  if (isBefore && isAfter) return localMs - after <= nowMs + aheadMs ? after : before
  return isAfter ? after : before
}

function fixedOffsetMs(zone: string): number | undefined {
  const parts = /^([+-])(\d{2}):?(\d{2})$/.exec(zone)
  if (!parts || Number(parts[2]) > 23 || Number(parts[3]) > 59) return undefined
  const minutes = Number(parts[2]) * 60 + Number(parts[3])
  return (parts[1] === '-' ? -minutes : minutes) * 60_000
}

function formatOf(zone: string): Intl.DateTimeFormat | undefined {
  if (!formats.has(zone)) formats.set(zone, makeFormat(zone))
  return formats.get(zone)
}

function makeFormat(zone: string): Intl.DateTimeFormat | undefined {
  try {
    return new Intl.DateTimeFormat('en-US', { timeZone: zone, timeZoneName: 'longOffset' })
  } catch (thrown) {
    if (thrown instanceof RangeError) return undefined
    throw thrown
  }
}

/** `GMT+02:00`, and `GMT` alone where there is no difference. */
function offsetAt(format: Intl.DateTimeFormat, utcMs: number): number {
  const shown = format.formatToParts(utcMs).find(({ type }) => type === 'timeZoneName')?.value ?? ''
  return fixedOffsetMs(shown.slice('GMT'.length, 'GMT+00:00'.length)) ?? 0
}

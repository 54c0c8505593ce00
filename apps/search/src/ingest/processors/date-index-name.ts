import { dateFormat } from '../../dates/date-format.ts'
import { textOf } from '../../painless/java-values.ts'
import { unfit } from '../../refusals/unfit.ts'
import { dateReader, zoneNamed } from '../date-reader.ts'
import { defineProcessor } from '../define-processor.ts'

const roundings: Readonly<Record<string, (at: Date) => void>> = {
  y: (at) => at.setUTCMonth(0, 1),
  M: (at) => at.setUTCDate(1),
  w: (at) => at.setUTCDate(at.getUTCDate() - ((at.getUTCDay() + 6) % 7)),
  d: () => undefined,
  h: () => undefined,
  m: () => undefined,
  s: () => undefined,
}
const keptMs: Readonly<Record<string, number>> = { h: 3_600_000, m: 60_000, s: 1000 }

/** `date_index_name`: sends a document to the index of its time. */
export const dateIndexNameProcessor = defineProcessor('date_index_name', (config) => {
  const field = config.text('field')
  const prefix = config.compiled('index_name_prefix', config.optionalText('index_name_prefix') ?? '')
  const rounding = config.text('date_rounding')
  const readers = (config.optionalTexts('date_formats') ?? ["yyyy-MM-dd'T'HH:mm:ss.SSSXX"]).map((format) =>
    dateReader(format),
  )
  const zone = zoneNamed(config.optionalText('timezone') ?? 'UTC')
  config.optionalText('locale')
  const format = dateFormat(config.optionalText('index_name_format') ?? 'yyyy-MM-dd')
  const round = Object.hasOwn(roundings, rounding) ? roundings[rounding] : undefined
  if (!round) throw config.fault('date_rounding', `unknown rounding [${rounding}]`)
  return (document, run) => {
    const text = textOf(document.get(field))
    const instant = readers.map((read) => read(text, zone, run.nowMs)).find((found) => found !== undefined)
    if (!instant) throw unfit(`unable to parse date [${text}]`)
    // Rounded as the zone's clock shows it.
    const offset = zone.offsetMs(instant.ms)
    const at = new Date(instant.ms + offset)
    const step = keptMs[rounding] ?? 86_400_000
    at.setTime(Math.floor(at.getTime() / step) * step)
    round(at)
    document.set('_index', prefix(document) + format.print({ ms: at.getTime() - offset, nanos: 0 }, zone))
  }
})

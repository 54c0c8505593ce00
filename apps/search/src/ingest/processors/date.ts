import { AppError } from '@logstack/errors'
import { dateFormat } from '../../dates/date-format.ts'
import { textOf } from '../../painless/java-values.ts'
import { unfit } from '../../refusals/unfit.ts'
import { dateReader, type ReadDate, weeksOf, zoneNamed } from '../date-reader.ts'
import { defineProcessor } from '../define-processor.ts'
import { compileTemplate } from '../template.ts'

/** `date`: the moment a text says, written as ISO 8601 in the zone asked for. */
export const dateProcessor = defineProcessor('date', (config) => {
  const field = config.text('field')
  const target = config.optionalText('target_field') ?? '@timestamp'
  const formats = config.texts('formats')
  const zone = compileTemplate(config.optionalText('timezone') ?? 'UTC')
  const locale = config.optionalText('locale') ?? 'en'
  if (!/^en\b/i.test(locale)) throw config.fault('locale', `only English names are read, not those of [${locale}]`)
  const output = config.optionalText('output_format') ?? "yyyy-MM-dd'T'HH:mm:ss.SSSXXX"
  let readers: readonly ReadDate[]
  try {
    readers = formats.map((format) => dateReader(format, weeksOf(locale)))
    dateFormat(output)
  } catch (thrown) {
    throw thrown instanceof AppError ? config.fault('formats', thrown.message) : thrown
  }
  return (document, run) => {
    const text = textOf(document.get(field))
    const at = zoneNamed(zone(document))
    for (const read of readers) {
      const instant = read(text, at, run.nowMs)
      if (instant === undefined) continue
      document.set(target, dateFormat(output).print(instant, at))
      return
    }
    const last = unfit(`failed to parse date field [${text}] with format [${formats.at(-1)}]`)
    throw unfit(`unable to parse date [${text}]`, last)
  }
})

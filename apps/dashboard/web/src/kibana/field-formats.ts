import { type Json, jsonArray, jsonObject, number, text } from './saved-json.ts'
import type { ColorRule, FieldFormats, TextTransform, ValueFormat } from './value-format.ts'
import { patternFormat, unitNames } from './value-pattern.ts'

/** How an index pattern shows values of its fields; kinds that are not known leave a field as it is. */
export function fieldFormatsOf(attributes: Json): FieldFormats | undefined {
  const found = Object.entries(jsonObject(attributes['fieldFormatMap'])).flatMap(([field, saved]) => {
    const format = formatOf(jsonObject(saved))
    return format ? [[field, format] as const] : []
  })
  return found.length === 0 ? undefined : Object.fromEntries(found)
}

function formatOf({ id, params: saved }: Json): ValueFormat | undefined {
  const params = jsonObject(saved)
  switch (id) {
    case 'number':
    case 'bytes':
    case 'percent':
      return patternFormat(text(params['pattern']) ?? defaultPatterns[id])
    case 'duration':
      return durationOf(params)
    case 'static_lookup': {
      const entries = jsonArray(params['lookupEntries']).map(({ key, value }) => [
        String(key ?? ''),
        String(value ?? ''),
      ])
      const other = text(params['unknownKeyValue'])
      const lookup = Object.fromEntries([...entries.filter(([key]) => key !== ''), ...(other ? [['', other]] : [])])
      return { id: 'number', lookup }
    }
    case 'string': {
      const letters = transforms[text(params['transform']) ?? '']
      return { id: 'text', ...(letters ? { letters } : {}) }
    }
    case 'truncate': {
      const lengthMax = number(params['fieldLength'])
      return lengthMax === undefined ? undefined : { id: 'text', lengthMax }
    }
    case 'date':
    case 'date_nanos':
      return { id: 'date', pattern: text(params['pattern']), zone: text(params['timezone']) }
    case 'relative_date':
      return { id: 'relative' }
    case 'boolean':
      return { id: 'boolean' }
    case 'color':
      return colorsOf(params)
    case 'url': {
      // Pictures and sounds are links, too: the page loads nothing from elsewhere.
      const url = text(params['urlTemplate']) || '{{rawValue}}'
      return { id: 'text', link: { url, label: text(params['labelTemplate']) || undefined } }
    }
    default:
      return undefined
  }
}

const transforms: Readonly<Record<string, TextTransform>> = {
  upper: 'upper',
  lower: 'lower',
  title: 'title',
  short: 'short',
  base64: 'base64',
  urlparam: 'urlparam',
}

/** Numbers have no thousands apart here: what has colours is as often a port or a status. */
function colorsOf(params: Json): ValueFormat {
  const kind = text(params['fieldType']) ?? 'string'
  const colors = jsonArray(params['colors']).map((rule): ColorRule => {
    const painted = { text: text(rule['text']), background: text(rule['background']) }
    if (kind === 'boolean') return { ...painted, value: String(rule['boolean']) }
    if (kind !== 'number') return { ...painted, pattern: text(rule['regex']) ?? '' }
    const [from, to] = (text(rule['range']) ?? '').split(':')
    return { ...painted, from: number(from), to: number(to) }
  })
  return { id: 'text', colors }
}

const defaultPatterns = { number: '0,0.[000]', bytes: '0,0.[0]b', percent: '0,0.[000]%' }

function durationOf(params: Json): ValueFormat {
  const from = text(params['inputFormat']) ?? 'seconds'
  const to = text(params['outputFormat']) ?? 'humanize'
  const unitMs = unitNames[from]?.ms ?? 1_000
  return {
    id: 'duration',
    unitMs,
    to: unitNames[to.replace(/^as/, '').toLowerCase()]?.short,
    decimals: number(params['outputPrecision']) ?? 2,
  }
}

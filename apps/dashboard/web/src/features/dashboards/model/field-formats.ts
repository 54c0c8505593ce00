import { type Json, jsonArray, jsonObject, number, text } from '../../../kibana/saved-json.ts'
import type { FieldFormats, ValueFormat } from './table.ts'
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
      const letters = (['upper', 'lower'] as const).find((one) => one === params['transform'])
      return { id: 'text', ...(letters ? { letters } : {}) }
    }
    case 'url': {
      const url = text(params['urlTemplate']) || '{{rawValue}}'
      const isLink = (text(params['type']) ?? 'a') === 'a'
      return isLink ? { id: 'text', link: { url, label: text(params['labelTemplate']) || undefined } } : undefined
    }
    default:
      return undefined
  }
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

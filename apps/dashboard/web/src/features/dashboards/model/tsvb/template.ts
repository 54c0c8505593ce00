import { text } from '../../../../kibana/saved-json.ts'
import type { Table } from '../table.ts'
import type { TsvbModel } from './series.ts'
import { valuesOfSeries } from './values.ts'

/** What a template can name: by path, `requests.last.formatted`. */
export type TemplateValues = ReadonlyMap<string, string>

/** The names of a visualization's numbers in its template: the series' variable name or its label, with the value of its split. */
export function templateValues(model: TsvbModel, tables: readonly Table[]): TemplateValues {
  const values = new Map<string, string>()
  for (const [at, series] of model.series.entries()) {
    const table = tables[at]
    if (!table) continue
    const name = snakeCase(text(series.saved['var_name']) || series.label)
    for (const found of valuesOfSeries(model, series, table)) {
      const prefix = series.split === undefined ? name : `${name}.${snakeCase(String(found.key ?? ''))}`
      values.set(`${prefix}.label`, found.label)
      values.set(`${prefix}.last.formatted`, found.text)
      values.set(`${prefix}.last.raw`, String(found.value ?? ''))
    }
  }
  return values
}

/** A template with its names replaced; a name that is not known leaves nothing. */
export function filledTemplate(template: string, values: TemplateValues): string {
  return template.replaceAll(/\{\{\{?\s*([\w.]+)\s*\}?\}\}/g, (_, path: string) => escaped(values.get(path) ?? ''))
}

// A value of a document is a value, not markup.
function escaped(value: string): string {
  return value.replaceAll(/[\\`*_{}[\]<>#|~]/g, (sign) => `\\${sign}`)
}

function snakeCase(label: string): string {
  return (label.match(/[A-Z]{2,}(?![a-z])|[A-Z]?[a-z]+|[A-Z]|\d+/g) ?? []).join('_').toLowerCase()
}

import type { SummaryOptions } from '../rule-files/rule.ts'
import { leafAt } from '../rule-values/field-values.ts'

/** ElastAlert's table of what was aggregated: how often each combination of the fields occurred, most frequent first where rows are limited. */
export function summaryTable(options: SummaryOptions, matches: readonly Readonly<Record<string, unknown>>[]): string {
  const counts = new Map<string, { readonly cells: readonly string[]; count: number }>()
  for (const match of matches) {
    const cells = options.fields.map(({ path }) => String(leafAt(match, path) ?? 'None'))
    const key = JSON.stringify(cells)
    const row = counts.get(key) ?? { cells, count: 0 }
    row.count++
    counts.set(key, row)
  }
  let rows = [...counts.values()]
  if (options.rowsMax !== undefined)
    rows = rows.sort((left, right) => right.count - left.count).slice(0, options.rowsMax)
  const names = [...options.fields.map(({ path }) => path), 'count']
  const header = [...options.fields.map(({ header: title }) => title), 'count']
  const lines = rows.map(({ cells, count }) => [...cells, String(count)])
  const before = options.prefix === '' ? '' : `${options.prefix}\n`
  const after = options.suffix === '' ? '' : `${options.suffix}\n\n`
  const title = `Aggregation resulted in the following data for summary_table_fields ==> [${names.map((name) => `'${name}'`).join(', ')}]:\n\n`
  return `${before}${title}${tables[options.type](header, lines)}\n${after}`
}

const tables: Readonly<
  Record<SummaryOptions['type'], (header: readonly string[], rows: readonly string[][]) => string>
> = {
  ascii: (header, rows) => {
    const widths = header.map((title, at) => Math.max(title.length, ...rows.map((row) => row[at]?.length ?? 0)))
    const line = (mark: string): string => `+${widths.map((width) => mark.repeat(width + 2)).join('+')}+`
    const row = (cells: readonly string[]): string =>
      `| ${cells.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join(' | ')} |`
    return `${[line('-'), row(header), line('='), ...rows.flatMap((cells) => [row(cells), line('-')])].join('\n')}\n`
  },
  markdown: (header, rows) =>
    [header, header.map(() => '-----'), ...rows].map((cells) => `| ${cells.join(' | ')} |\n`).join(''),
  html: (header, rows) => {
    const row = (tag: string, cells: readonly string[]): string =>
      `<tr>${cells.map((cell) => `<${tag}>${escapeHtml(cell)}</${tag}>`).join('')}</tr>`
    return `<table border="1">${row('th', header)}${rows.map((cells) => row('td', cells)).join('')}</table>\n`
  },
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"]/gu, (mark) => `&#${mark.charCodeAt(0)};`)
}

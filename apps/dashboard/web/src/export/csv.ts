/** A value of a CSV file; null and undefined are empty. */
type CsvValue = string | number | null | undefined

// A spreadsheet would run what begins with one of these as a formula (OWASP, CSV injection).
// `@timestamp` and its like are names, not calls.
const formulaStart = /^(?:[=+\-\t\r]|@(?![a-z_.]+$))/

/** A file of comma-separated values (RFC 4180) with its header; texts that look like formulas get an apostrophe before them. */
export function csvOf(header: readonly string[], rows: readonly (readonly CsvValue[])[]): string {
  return [header, ...rows].map((row) => `${row.map(csvValue).join(',')}\r\n`).join('')
}

function csvValue(value: CsvValue): string {
  if (value === null || value === undefined) return ''
  if (typeof value === 'number') return String(value)
  const safe = formulaStart.test(value) ? `'${value}` : value
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

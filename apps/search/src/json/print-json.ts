/** A double as Elasticsearch writes it: with a decimal point even when whole. */
export class Double {
  readonly value: number
  constructor(value: number) {
    this.value = value
  }
}

/** A piece of JSON that is text already. */
export class JsonPiece {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

/** Names of members as JSON, colon included: the same few stand in every bucket of an answer. */
const printedNames = new Map<string, string>()
const printedNamesMax = 1_000

function printName(name: string): string {
  const known = printedNames.get(name)
  if (known !== undefined) return known
  const printed = `${JSON.stringify(name)}:`
  if (printedNames.size >= printedNamesMax) printedNames.clear()
  printedNames.set(name, printed)
  return printed
}

/** Prints a value as JSON; bigints as their digits, `Double` with a decimal point, undefined members left out. */
export function printJson(value: unknown): string {
  if (value === null || value === undefined) return 'null'
  if (typeof value === 'bigint') return String(value)
  if (typeof value === 'number') return Number.isFinite(value) ? String(value) : 'null'
  if (typeof value !== 'object') return JSON.stringify(value)
  if (value instanceof Double) return printDouble(value.value)
  if (value instanceof JsonPiece) return value.text
  return Array.isArray(value) ? printList(value) : printMembers(value as Readonly<Record<string, unknown>>)
}

function printList(values: readonly unknown[]): string {
  let text = ''
  for (let at = 0; at < values.length; at += 1) text += at === 0 ? printJson(values[at]) : `,${printJson(values[at])}`
  return `[${text}]`
}

function printMembers(value: Readonly<Record<string, unknown>>): string {
  let text = ''
  for (const name of Object.keys(value)) {
    const member = value[name]
    if (member !== undefined) text += `${text === '' ? '' : ','}${printName(name)}${printJson(member)}`
  }
  return `{${text}}`
}

/** Prints a double as Java does; what JSON cannot say becomes the text Elasticsearch uses. */
export function printDouble(value: number): string {
  if (Number.isNaN(value)) return '"NaN"'
  if (!Number.isFinite(value)) return value > 0 ? '"Infinity"' : '"-Infinity"'
  const size = Math.abs(value)
  if (size !== 0 && (size >= 1e7 || size < 1e-3)) {
    const [digits = '', exponent = ''] = value.toExponential().split('e')
    return `${digits.includes('.') ? digits : `${digits}.0`}E${exponent.replace('+', '')}`
  }
  return Number.isInteger(value) ? `${value}.0` : String(value)
}

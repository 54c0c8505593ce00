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

/** Prints a value as JSON; bigints as their digits, `Double` with a decimal point, undefined members left out. */
export function printJson(value: unknown): string {
  if (value === null || value === undefined) return 'null'
  if (typeof value === 'bigint') return String(value)
  if (typeof value !== 'object') return JSON.stringify(value)
  if (value instanceof Double) return printDouble(value.value)
  if (value instanceof JsonPiece) return value.text
  if (Array.isArray(value)) return `[${value.map(printJson).join(',')}]`
  const members: string[] = []
  for (const [name, member] of Object.entries(value))
    if (member !== undefined) members.push(`${JSON.stringify(name)}:${printJson(member)}`)
  return `{${members.join(',')}}`
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

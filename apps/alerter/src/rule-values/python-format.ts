/**
 * Fills a format of Python's `str.format` as ElastAlert rules use it: `{}`, `{0}`, `{name}`, doubled braces, and `:.2f`, `:,`, `:>10` of
 * numbers and texts. A place without a value is `missing`; a conversion it does not know leaves the value as it is.
 */
export function fillFormat(
  format: string,
  values: {
    readonly positional?: readonly unknown[]
    readonly named?: Readonly<Record<string, unknown>>
    readonly missing: string
  },
): string {
  let next = 0
  return format.replace(/\{\{|\}\}|\{(?<name>[^{}:!]*)(?:![rsa])?(?::(?<spec>[^{}]*))?\}/gu, (whole, ...rest) => {
    if (whole === '{{' || whole === '}}') return whole.slice(1)
    const { name = '', spec = '' } = rest.at(-1) as { name?: string; spec?: string }
    const isPlace = name === '' || /^\d+$/u.test(name)
    const value = isPlace ? values.positional?.[name === '' ? next++ : Number(name)] : values.named?.[name]
    return value === undefined || value === null ? values.missing : formatted(value, spec)
  })
}

/** A value as the text of an alert shows it: objects and lists as indented JSON. */
export function textOf(value: unknown): string {
  return typeof value === 'object' && value !== null ? JSON.stringify(value, undefined, 4) : String(value)
}

function formatted(value: unknown, spec: string): string {
  const parts = /^(?<align>[<>^])?(?<width>\d+)?(?<comma>,)?(?:\.(?<digits>\d+))?(?<kind>[dfs%]?)$/u.exec(spec)?.groups
  if (spec === '' || !parts) return textOf(value)
  const number = typeof value === 'number' ? value : Number(value)
  let text = textOf(value)
  if (!Number.isNaN(number) && parts['kind'] !== 's') {
    const digits = parts['digits'] === undefined ? undefined : Math.min(20, Number(parts['digits']))
    if (parts['kind'] === '%') text = `${(number * 100).toFixed(digits ?? 6)}%`
    else if (parts['kind'] === 'f' || digits !== undefined) text = number.toFixed(digits ?? 6)
    if (parts['comma']) text = text.replace(/^-?\d+/u, (whole) => whole.replace(/\B(?=(?:\d{3})+$)/gu, ','))
  }
  const width = Math.min(200, Number(parts['width'] ?? 0))
  if (parts['align'] === '>') return text.padStart(width)
  return parts['align'] === '^'
    ? text.padStart(text.length + Math.floor((width - text.length) / 2)).padEnd(width)
    : text.padEnd(width)
}

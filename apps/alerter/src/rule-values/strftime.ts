const two = (value: number): string => String(value).padStart(2, '0')

const writers: Readonly<Record<string, (date: Date) => string>> = {
  Y: (date) => String(date.getUTCFullYear()).padStart(4, '0'),
  m: (date) => two(date.getUTCMonth() + 1),
  d: (date) => two(date.getUTCDate()),
  H: (date) => two(date.getUTCHours()),
  M: (date) => two(date.getUTCMinutes()),
  S: (date) => two(date.getUTCSeconds()),
  f: (date) => `${String(date.getUTCMilliseconds()).padStart(3, '0')}000`,
  z: () => '+0000',
  '%': () => '%',
}

const readers: Readonly<Record<string, string>> = {
  Y: '(?<Y>\\d{4})',
  m: '(?<m>\\d{1,2})',
  d: '(?<d>\\d{1,2})',
  H: '(?<H>\\d{1,2})',
  M: '(?<M>\\d{1,2})',
  S: '(?<S>\\d{1,2})',
  f: '(?<f>\\d{1,6})',
  z: '(?<z>Z|[+-]\\d{2}:?\\d{2})',
  '%': '%',
}

/** The directive of a format that is not known here, or undefined: `%Y %m %d %H %M %S %f %z %%` are. */
export function unknownDirective(format: string): string | undefined {
  return [...format.matchAll(/%(.?)/gu)].map(([, letter = '']) => letter).find((letter) => !(letter in writers))
}

/** A time (epoch ms) in UTC by a format of Python's `strftime` that `unknownDirective` finds nothing in. */
export function formatTime(format: string, time: number): string {
  const date = new Date(time)
  return format.replace(/%(.)/gu, (whole, letter: string) => writers[letter]?.(date) ?? whole)
}

/** Epoch milliseconds of a text by such a format, UTC unless it names an offset; undefined when it does not fit. */
export function parseTime(format: string, text: string): number | undefined {
  const source = format
    .split(/(%.)/u)
    .map((part) =>
      /^%.$/u.test(part) ? (readers[part.slice(1)] ?? part) : part.replace(/[\\^$.*+?()[\]{}|]/gu, '\\$&'),
    )
    .join('')
  const parts = new RegExp(`^${source}$`, 'u').exec(text)?.groups
  if (!parts) return undefined
  const of = (name: string, otherwise: number): number => Number(parts[name] ?? otherwise)
  const fraction = Number((parts['f'] ?? '').padEnd(6, '0').slice(0, 3))
  const time = Date.UTC(of('Y', 1970), of('m', 1) - 1, of('d', 1), of('H', 0), of('M', 0), of('S', 0), fraction)
  return time - offsetMs(parts['z'])
}

function offsetMs(offset: string | undefined): number {
  if (offset === undefined || offset === 'Z') return 0
  const digits = offset.slice(1).replace(':', '')
  const minutes = Number(digits.slice(0, 2)) * 60 + Number(digits.slice(2))
  return (offset.startsWith('-') ? -minutes : minutes) * 60_000
}

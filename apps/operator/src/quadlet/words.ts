const escapes: Readonly<Record<string, string>> = {
  n: '\n',
  r: '\r',
  t: '\t',
  s: ' ',
  '\\': '\\',
  '"': '"',
  "'": "'",
}

/** Splits a value into words as systemd does: blanks separate, single or double quotes group, backslash escapes. Undefined when a quote stays open. */
export function splitWords(value: string): string[] | undefined {
  const words: string[] = []
  let word: string | undefined
  let quote = ''
  for (let at = 0; at < value.length; at++) {
    const char = value.charAt(at)
    if (char === '\\' && at + 1 < value.length) {
      const next = value.charAt(++at)
      word = (word ?? '') + (escapes[next] ?? `\\${next}`)
    } else if (quote !== '') {
      if (char === quote) quote = ''
      else word = (word ?? '') + char
    } else if (char === '"' || char === "'") {
      quote = char
      word ??= ''
    } else if (char === ' ' || char === '\t') {
      if (word !== undefined) words.push(word)
      word = undefined
    } else word = (word ?? '') + char
  }
  if (quote !== '') return undefined
  if (word !== undefined) words.push(word)
  return words
}

const unitMs: Readonly<Record<string, number>> = { ms: 1, s: 1000, sec: 1000, m: 60_000, min: 60_000, h: 3_600_000 }

/** Milliseconds of a span as systemd and podman write it (`500ms`, `10m`, `1min 30s`, a bare number is seconds); undefined when it is none. */
export function parseSpanMs(text: string): number | undefined {
  if (/^\d+$/.test(text)) return Number(text) * 1000
  const pieces = [...text.matchAll(/(\d+)\s*([a-z]+)\s*/g)]
  if (pieces.length === 0 || pieces.map((piece) => piece[0]).join('') !== text) return undefined
  let total = 0
  for (const [, amount, unit] of pieces) {
    const ms = unitMs[unit ?? '']
    if (ms === undefined) return undefined
    total += Number(amount) * ms
  }
  return total
}

/** Bytes of a size such as `1kb` or `2.5 MB`; undefined when it is none. */
export function byteSize(text: string): number | undefined {
  const [, amount, unit] = /^\s*(-?\d+(?:\.\d+)?)\s*([a-z]*)\s*$/i.exec(text) ?? []
  const power = ['b', 'k', 'm', 'g', 't', 'p'].indexOf((unit ?? '').toLowerCase().replace(/(?<=[kmgtp])b$/, ''))
  if (amount === undefined || power < 0 || Number(amount) < 0) return undefined
  return Math.floor(Number(amount) * 1024 ** power)
}

/** Decodes `%41` and `+` as forms write them; undefined when it is not valid. */
export function urlDecoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch (thrown) {
    if (thrown instanceof URIError) return undefined
    throw thrown
  }
}

/** Where a comment (`''`), or an element of `script` or `style`, ends that begins before a place; -1 where it does not. */
export type FindEnd = (name: string, from: number) => number

/** Finds the ends of what HTML does not show. An end that is not found once is not looked for again: further on there is none either. */
export function hiddenEnds(text: string): FindEnd {
  const endless = new Set<string>()
  return (name, from) => {
    if (endless.has(name)) return -1
    const end = endOf(text, from, name)
    if (end < 0) endless.add(name)
    return end
  }
}

function endOf(text: string, from: number, name: string): number {
  if (name === '') {
    const end = text.indexOf('-->', from)
    return end < 0 ? -1 : end + 3
  }
  const opened = text.indexOf('>', from)
  if (opened < 0) return -1
  const closing = name === 'script' ? /<\/script\s*>/gi : /<\/style\s*>/gi
  closing.lastIndex = opened + 1
  return closing.test(text) ? closing.lastIndex : -1
}

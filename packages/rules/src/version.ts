const versionForm = /^([0-9]+(?:\.[0-9]+)*)(?:-([0-9A-Za-z.-]+))?(?:\+([0-9A-Za-z.-]+))?$/u

/** Figures behind a letter that says how many they are, so that 10 comes after 9. */
function figures(part: string, least: number): string {
  const plain = part.replace(/^0+/u, '')
  return String.fromCodePoint(least + Math.min(plain.length, least === 1 ? 40 : 190)) + plain
}

/** A text that stands to others, by their bytes, as one version to another; what is no version comes behind all that are. */
export function versionOrder(version: string): string {
  const [, numbers, rest, build = ''] = versionForm.exec(version) ?? []
  if (numbers === undefined) return `\u{10ffff}${version}`
  const main = numbers.split('.').map((part) => figures(part, 64))
  if (rest === undefined) return `${main.join('')}\u0003${build}`
  const words = rest.split('.').map((part) => `${/^[0-9]+$/u.test(part) ? figures(part, 1) : part}\0`)
  return `${main.join('')}\u0002${words.join('')}${build}`
}

/** Below, above or at nought as one version comes before, after or with another. */
export function compareVersions(one: string, other: string): number {
  return Buffer.compare(Buffer.from(versionOrder(one)), Buffer.from(versionOrder(other)))
}

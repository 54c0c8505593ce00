/** A regular expression of Lucene that finds the text anywhere, whatever the case of its letters. */
export function containing(wanted: string): string {
  const letters = [...wanted].map((letter) => {
    const [lower, upper] = [letter.toLowerCase(), letter.toUpperCase()]
    if (lower !== upper) return `[${lower}${upper}]`
    return /[\p{L}\p{N}\s]/u.test(letter) ? letter : `\\${letter}`
  })
  return `.*${letters.join('')}.*`
}

import { TimelionError } from '../language/tree.ts'

/** A colour as style sheets have it: a word, `#c60`, also without its sign, or numbers of red, green and blue or of a hue. */
const colorPattern = /^(#[0-9a-f]{3,8}|[a-z]{3,30}|(rgb|hsl)a?\([\d\s.,%/]+\))$/i

/**
 * Reads a colour; short ones become long, between which there are others. Throws `TimelionError` for what is none: colours come to stand in the styles of
 * tooltips, where anything else would be read, too.
 */
export function readColor(text: string): string {
  const color = text.trim()
  const [, digits = ''] = /^#?([0-9a-f]{3}|[0-9a-f]{6})$/i.exec(color) ?? []
  if (digits.length === 6) return `#${digits}`
  if (digits.length === 3 && (color.startsWith('#') || /\d/.test(color)))
    return `#${[...digits].map((digit) => digit + digit).join('')}`
  if (colorPattern.test(color)) return color
  throw new TimelionError(`“${color}” is no colour: #cc6600, #c60 and red are`)
}

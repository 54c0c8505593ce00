/** The colour of letters that stands out most from a colour: black or white. */
export function contrastOf(color: string): string {
  const light = luminanceOf(color)
  if (light === undefined) return '#fff'
  const dark = luminanceOf(darkLetters) ?? 0
  return 1.05 / (light + 0.05) > (light + 0.05) / (dark + 0.05) ? '#fff' : darkLetters
}

// Of black and white one always stands out enough (4.5 : 1); of anything lighter than black there are colours on which neither does.
const darkLetters = '#000000'

/** Relative luminance as WCAG has it, of `#rrggbb`. */
function luminanceOf(color: string): number | undefined {
  const hex = /^#([0-9a-f]{6})/i.exec(color)?.[1]
  if (!hex) return undefined
  const [red = 0, green = 0, blue = 0] = [0, 2, 4].map((at) => {
    const channel = Number.parseInt(hex.slice(at, at + 2), 16) / 255
    return channel <= 0.03928 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

let opening: Date | undefined

/** The instant that is "now" for the page that is about to be drawn: what is asked for before is what it will ask. */
export function openingTime(): Date {
  opening ??= new Date()
  return opening
}

/** The instant of the page's first round: that of `openingTime`, once, else this one. */
export function takeOpeningTime(): Date {
  const now = opening ?? new Date()
  opening = undefined
  return now
}

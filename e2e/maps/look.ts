import type { Page } from 'playwright-core'

/** How many pixels of a panel's canvas have each colour (`#rrggbb`), of those that have at least ten. */
export async function coloursOf(page: Page, panel: string): Promise<Map<string, number>> {
  return new Map(await page.evaluate<[string, number][]>(`(${counting})(${JSON.stringify(panel)})`))
}

// Runs in the page.
const counting = `(panel) => {
  const canvas = document.querySelector('[data-panel-id="' + panel + '"] canvas')
  const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height)
  const counts = new Map()
  for (let at = 0; at < data.length; at += 4) {
    if (data[at + 3] !== 255) continue
    const colour = '#' + [data[at], data[at + 1], data[at + 2]].map((one) => one.toString(16).padStart(2, '0')).join('')
    counts.set(colour, (counts.get(colour) ?? 0) + 1)
  }
  return [...counts].filter(([, count]) => count >= 10)
}`

/** A place on the page, and what the map tells when the mouse is there, a line each. */
export interface Told {
  readonly x: number
  readonly y: number
  readonly lines: readonly string[]
}

/** What a map tells under a mouse that goes over all of it in steps of so many pixels; each text once, where it was told first. */
export async function toldBy(page: Page, panel: string, stepPx = 7): Promise<Told[]> {
  await page.locator(`[data-panel-id="${panel}"] canvas`).first().scrollIntoViewIfNeeded()
  return page.evaluate<Told[]>(`(${looking})(${JSON.stringify(panel)}, ${stepPx})`)
}

// Runs in the page: a real mouse would take minutes for so many places.
const looking = `(panel, step) => {
  const section = document.querySelector('[data-panel-id="' + panel + '"]')
  const canvas = section.querySelector('canvas')
  const box = canvas.getBoundingClientRect()
  const told = new Map()
  for (let y = box.top + step; y < box.bottom; y += step) {
    for (let x = box.left + step; x < box.right; x += step) {
      canvas.parentElement.dispatchEvent(new MouseEvent('mousemove', { clientX: x, clientY: y, bubbles: true }))
      const tip = section.querySelector('.world-map-tip')
      if (!tip || tip.style.visibility === 'hidden' || tip.style.opacity === '0') continue
      const lines = [...tip.querySelectorAll(':scope > div > div')].map((line) => line.textContent)
      const key = lines.join()
      if (key !== '' && !told.has(key)) told.set(key, { x, y, lines })
    }
  }
  return [...told.values()]
}`

import type { Page } from 'playwright-core'

/**
 * What is wrong with the page's layout as it stands, one line each: it scrolls sideways, words are cut off without a sign of it or leave
 * the window, a control lies under another. What scrolls in a box of its own is right.
 */
export function layoutFaultsOf(page: Page): Promise<string[]> {
  return page.evaluate(looking)
}

// Runs in the page.
const looking = `(() => {
  const faults = []
  const name = (element) => {
    const words = element.getAttribute('aria-label') || element.textContent || element.getAttribute('placeholder') || ''
    const kind = element.tagName.toLowerCase() + (typeof element.className === 'string' ? '.' + element.className.split(' ')[0] : '')
    return kind + ' "' + words.trim().replaceAll(/\\s+/g, ' ').slice(0, 60) + '"'
  }
  const styleOf = (element) => getComputedStyle(element)
  const parents = (element) => {
    const found = []
    for (let at = element.parentElement; at; at = at.parentElement) found.push(at)
    return found
  }
  const scrolls = (element) => /auto|scroll/.test(styleOf(element).overflowX + styleOf(element).overflowY)
  const isShown = (element) => element.checkVisibility({ opacityProperty: true, visibilityProperty: true })
  // What only people who listen to the page are told.
  const isHiddenFromEyes = (element) => [element, ...parents(element)].some((one) => styleOf(one).clipPath !== 'none' || /rect\\(/.test(styleOf(one).clip))
  const root = document.scrollingElement
  if (root.scrollWidth > innerWidth + 1) {
    const wide = [...document.body.querySelectorAll('*')].filter((one) => isShown(one) && one.getBoundingClientRect().right > innerWidth + 1 && !parents(one).some(scrolls))
    faults.push('the page scrolls sideways, ' + root.scrollWidth + ' px: ' + wide.slice(-2).map(name).join(', '))
  }
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  const seen = new Set()
  while (texts.nextNode()) {
    const text = texts.currentNode
    const element = text.parentElement
    if (!text.data.trim() || !element || seen.has(element) || /^(SCRIPT|STYLE|TITLE|OPTION)$/.test(element.tagName)) continue
    seen.add(element)
    if (!isShown(element) || isHiddenFromEyes(element)) continue
    const range = document.createRange()
    range.selectNodeContents(text)
    const words = range.getBoundingClientRect()
    if (words.width === 0) continue
    for (const box of [element, ...parents(element)]) {
      const style = styleOf(box)
      if (scrolls(box)) break
      const edge = box.getBoundingClientRect()
      const cuts = /hidden|clip/.test(style.overflowX)
      if (cuts && (words.right > edge.right + 1 || words.left < edge.left - 1)) {
        const says = style.textOverflow === 'ellipsis' || style.webkitLineClamp !== 'none'
        if (!says) faults.push('cut off in ' + name(box).slice(0, 40) + ': ' + name(element))
        break
      }
      if (box === document.body && (words.right > innerWidth + 1 || words.left < -1)) faults.push('outside of the window: ' + name(element))
    }
  }
  const inSight = ({ left, right, top, bottom }) => left >= 0 && top >= 0 && right <= innerWidth && bottom <= innerHeight && right > left && bottom > top
  const controls = [...document.querySelectorAll('button, a[href], input, select, textarea, [role=button], [role=tab], [role=combobox]')]
  for (const control of controls) {
    if (!isShown(control) || isHiddenFromEyes(control) || styleOf(control).pointerEvents === 'none') continue
    const box = control.getBoundingClientRect()
    const clipped = parents(control).some((one) => {
      if (!/auto|scroll|hidden|clip/.test(styleOf(one).overflowX + styleOf(one).overflowY)) return false
      const edge = one.getBoundingClientRect()
      return box.left + box.width / 2 < edge.left || box.left + box.width / 2 > edge.right || box.top + box.height / 2 < edge.top || box.top + box.height / 2 > edge.bottom
    })
    if (clipped || !inSight(box)) continue
    const hit = document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2)
    const over = hit?.closest('button, a[href], input, select, textarea, [role=button], [role=tab], [role=combobox], th, header, [role=dialog]')
    if (!hit || control.contains(hit) || hit.contains(control) || !over || over.contains(control) || control.contains(over)) continue
    faults.push('covered: ' + name(control) + ' by ' + name(over))
  }
  return [...new Set(faults)]
})()`

import { browserTokens, robotTokens, toolTokens } from './agents.ts'
import { type OperatingSystem, operatingSystemOf } from './systems.ts'

/** What a user agent says of itself. */
export interface UserAgent {
  /** `Other` when it says nothing known. */
  readonly name: string
  readonly version: string | undefined
  readonly system: OperatingSystem | undefined
  /** `Spider` for machines that look around, `Other` when nothing is said. */
  readonly device: string
  readonly deviceType: 'Desktop' | 'Phone' | 'Tablet' | 'Robot' | 'Other'
}

interface Named {
  readonly name: string
  readonly version: string | undefined
}

// What stands behind this is no part of how programs present themselves, and may be what somebody wants to be slow to read.
const lettersMax = 1_024
const product = /([^\s;()/,"]+)(?:\/v?(\d+(?:\.\d+)*)?)?/gu
const robotWord = /^(?!cubot)[\w.-]*(?:bot|crawler|spider|scanner)$/iu

const byName = (names: readonly (readonly [string, string])[]): ReadonlyMap<string, readonly [string, number]> =>
  new Map(names.map(([token, name], at) => [token.toLowerCase(), [name, at]]))
const robots = byName(robotTokens)
const tools = byName(toolTokens)
const browsers = byName(browserTokens)

type Products = ReadonlyMap<string, string | undefined>

/** The words of a user agent in small letters, with the version behind each. */
function productsOf(text: string): Products {
  const products = new Map<string, string | undefined>()
  for (const [, token = '', version] of text.matchAll(product)) {
    const key = token.toLowerCase()
    if (products.get(key) === undefined) products.set(key, version)
  }
  return products
}

/** What counts most of the words that are in a table. */
function known(products: Products, table: ReadonlyMap<string, readonly [string, number]>): Named | undefined {
  let best: { readonly named: Named; readonly at: number } | undefined
  for (const [token, version] of products) {
    const [name, at] = table.get(token) ?? []
    if (name !== undefined && at !== undefined && (!best || at < best.at)) best = { named: { name, version }, at }
  }
  return best?.named
}

function robotOf(text: string, products: Products): Named | undefined {
  const found = known(products, robots)
  if (found) return found
  for (const [token, version] of products) {
    if (!robotWord.test(token)) continue
    const at = text.toLowerCase().indexOf(token)
    return { name: text.slice(at, at + token.length), version }
  }
  return /Nmap Scripting Engine/u.test(text) ? { name: 'Nmap Scripting Engine', version: undefined } : undefined
}

function internetExplorer(text: string): Named | undefined {
  if (/Trident\//u.test(text)) {
    const version = /\brv:(\d+(?:\.\d+)*)/u.exec(text)?.[1] ?? /MSIE (\d+(?:\.\d+)*)/u.exec(text)?.[1]
    return { name: 'IE', version }
  }
  const version = /MSIE (\d+(?:\.\d+)*)/u.exec(text)?.[1]
  return version === undefined ? undefined : { name: 'IE', version }
}

function browserOf(text: string, products: Products): Named | undefined {
  const mini = /Opera Mini\/(\d+(?:\.\d+)*)/u.exec(text)
  if (mini) return { name: 'Opera Mini', version: mini[1] }
  const opera = products.get('opera')
  if (opera !== undefined) return { name: 'Opera', version: products.get('version') ?? opera }
  return known(products, browsers) ?? internetExplorer(text) ?? commonBrowserOf(text, products)
}

/** The browsers whose words the others say, too. */
function commonBrowserOf(text: string, products: Products): Named | undefined {
  const chrome = products.get('chrome')
  const isAndroid = text.includes('Android')
  if (chrome !== undefined) {
    if (isAndroid && /; wv\)/u.test(text)) return { name: 'Chrome Mobile WebView', version: chrome }
    return { name: isAndroid ? 'Chrome Mobile' : 'Chrome', version: chrome }
  }
  const firefox = products.get('firefox')
  if (firefox !== undefined) return { name: isAndroid ? 'Firefox Mobile' : 'Firefox', version: firefox }
  if (isAndroid && products.has('version')) return { name: 'Android', version: operatingSystemOf(text)?.version }
  if (/iPhone|iPad|iPod/u.test(text)) {
    const name = products.has('safari') ? 'Mobile Safari' : 'Mobile Safari UI/WKWebView'
    return products.has('applewebkit') ? { name, version: products.get('version') } : undefined
  }
  if (products.has('safari') && products.has('version')) return { name: 'Safari', version: products.get('version') }
  return products.has('applewebkit') && text.includes('Macintosh')
    ? { name: 'Apple Mail', version: undefined }
    : undefined
}

function deviceOf(text: string, system: OperatingSystem | undefined): Pick<UserAgent, 'device' | 'deviceType'> {
  const apple = /\b(iPhone|iPad|iPod)\b/u.exec(text)?.[1]
  if (apple !== undefined) return { device: apple, deviceType: apple === 'iPad' ? 'Tablet' : 'Phone' }
  if (system?.name === 'Android') return androidDevice(text)
  if (system?.name === 'Mac OS X') return { device: 'Mac', deviceType: 'Desktop' }
  if (/Windows Phone|KAIOS|\bMobile\b/u.test(text)) return { device: 'Generic Smartphone', deviceType: 'Phone' }
  if (/\bTablet\b/u.test(text)) return { device: 'Generic Tablet', deviceType: 'Tablet' }
  return { device: 'Other', deviceType: system && /^(?:Mozilla|Opera)\//u.test(text) ? 'Desktop' : 'Other' }
}

/** The model stands behind the version, where browsers still tell it; `K` is what they write instead. */
function androidDevice(text: string): Pick<UserAgent, 'device' | 'deviceType'> {
  const model = /Android[^;)]*; (?:[a-z]{2}[-_][A-Za-z]{2}; )?([^;)]+?)(?: Build\/[^;)]*)?[;)]/u.exec(text)?.[1]
  const isPhone = /\bMobile\b/u.test(text)
  const generic = isPhone ? 'Generic Smartphone' : 'Generic Tablet'
  const isModel = model !== undefined && !['K', 'Mobile', 'Tablet', 'wv'].includes(model) && !model.startsWith('rv:')
  return {
    device: isModel ? model.replace(/^(?=SM-[A-Z])/u, 'Samsung ') : generic,
    deviceType: isPhone || text.startsWith('Dalvik/') ? 'Phone' : 'Tablet',
  }
}

/** What a user agent says, as far as the tables know it. Its time is bounded by 1,024 letters. */
export function readUserAgent(given: string): UserAgent {
  const text = given.slice(0, lettersMax)
  const products = productsOf(text)
  const system = operatingSystemOf(text)
  const robot = robotOf(text, products)
  if (robot) return { ...robot, system, device: 'Spider', deviceType: 'Robot' }
  // Browsers begin with Mozilla or Opera; a tool's own word counts only where there is none of theirs.
  const isBrowser = /^(?:Mozilla|Opera)\//u.test(text)
  const tool = known(products, tools)
  const named = (isBrowser ? browserOf(text, products) : tool) ?? tool
  return { name: 'Other', version: undefined, ...named, system, ...deviceOf(text, system) }
}

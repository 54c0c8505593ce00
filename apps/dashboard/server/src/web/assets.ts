import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join, relative } from 'node:path'

/** A file of the built pages, ready to send. */
export interface Asset {
  readonly bytes: Buffer
  readonly contentType: string
  readonly encoding: 'br' | 'gzip' | undefined
  /** Files with a hash in their name never change. */
  readonly immutable: boolean
}

const contentTypes: Readonly<Record<string, string>> = {
  css: 'text/css; charset=utf-8',
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  json: 'application/json',
  png: 'image/png',
  svg: 'image/svg+xml',
  woff2: 'font/woff2',
}

/** The built pages, read once at start: no request reaches another path, and a build beside a running dashboard changes nothing under it. */
export class WebAssets {
  readonly #files: ReadonlyMap<string, Buffer>
  /** By the first word of a page's path after `/app/`: links to the files it is made of, as the page holds them. */
  readonly #links: ReadonlyMap<string, string>

  constructor(directory: string) {
    this.#files = new Map(existsSync(directory) ? readFiles(directory, directory) : [])
    this.#links = readLinks(this.#text('preload.json'), this.#text('index.html'))
  }

  /** Whether the pages were built. */
  get present(): boolean {
    return this.#files.has('index.html')
  }

  /** A file by its path without a leading slash, in the best encoding the client takes. */
  find(path: string, acceptEncoding: string): Asset | undefined {
    const encoding = this.#encoding(path, acceptEncoding)
    const suffix = encoding === 'br' ? '.br' : encoding === 'gzip' ? '.gz' : ''
    const bytes = this.#files.get(path + suffix)
    if (!bytes) return undefined
    return {
      bytes,
      contentType: contentTypes[path.slice(path.lastIndexOf('.') + 1)] ?? 'application/octet-stream',
      encoding,
      immutable: path.startsWith('assets/'),
    }
  }

  /**
   * The page, with its base set so that relative addresses hold at any depth and behind any prefix, and the programs of what is asked for named,
   * so that the browser reads them at once and not when the main program asks.
   */
  page(path: string): string {
    const words = path.split('/')
    const depth = Math.max(0, words.length - 2)
    const feature = words[1] === 'app' ? words[2] : landing
    return this.#text('index.html')
      .replace('<base href="/" />', `<base href="${depth === 0 ? './' : '../'.repeat(depth)}" />`)
      .replace('</head>', `${this.#links.get(feature ?? landing) ?? ''}</head>`)
  }

  #text(path: string): string {
    return this.#files.get(path)?.toString('utf8') ?? ''
  }

  #encoding(path: string, accepted: string): Asset['encoding'] {
    if (/\bbr\b/.test(accepted) && this.#files.has(`${path}.br`)) return 'br'
    return /\bgzip\b/.test(accepted) && this.#files.has(`${path}.gz`) ? 'gzip' : undefined
  }
}

/** Where `/` leads. */
const landing = 'discover'

function readLinks(preload: string, page: string): Map<string, string> {
  const pages = Object.entries(JSON.parse(preload || '{}') as Record<string, readonly string[]>)
  return new Map(
    pages.map(([name, files]) => [
      name,
      files
        .filter((file) => !page.includes(file))
        .map(link)
        .join(''),
    ]),
  )
}

function link(file: string): string {
  const rel = file.endsWith('.css') ? 'stylesheet' : 'modulepreload'
  return `<link rel="${rel}" crossorigin href="./${file}">\n`
}

function readFiles(root: string, directory: string): [string, Buffer][] {
  return readdirSync(directory).flatMap((name): [string, Buffer][] => {
    const path = join(directory, name)
    return statSync(path).isDirectory() ? readFiles(root, path) : [[relative(root, path), readFileSync(path)]]
  })
}

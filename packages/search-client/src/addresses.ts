import { AppError, platformErrors } from '@logstack/errors'

/** Nothing was sent when one of these ends a request: the next address may be asked without doing a thing twice. */
const notConnected: readonly string[] = [
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EHOSTDOWN',
  'ENOTFOUND',
  'EAI_AGAIN',
]

/** The addresses of one cluster's nodes: requests go to one of them until it cannot be reached, then to the next. */
export class Addresses {
  readonly #urls: readonly URL[]
  #at = 0

  /** `text` is `https://host:port`, or several of them with commas between; anything else is `environment_missing`. */
  constructor(text: string) {
    this.#urls = readAddresses(text)
  }

  get current(): URL {
    return this.#urls[this.#at] as URL
  }

  get count(): number {
    return this.#urls.length
  }

  /** Takes the next address when `failed` is still the one in use: of many requests that fail at once only one moves on. */
  leave(failed: URL): void {
    if (this.current === failed) this.#at = (this.#at + 1) % this.#urls.length
  }
}

/** Whether a request that ended so never reached the server. */
export function wasNotConnected(cause: unknown): boolean {
  return notConnected.includes((cause as NodeJS.ErrnoException).code ?? '')
}

/** The addresses in a text as `--search-url` and `LOGSTACK_SEARCH_URL` have it. */
export function readAddresses(text: string): URL[] {
  return text.split(',').map((one) => {
    const url = URL.canParse(one.trim()) ? new URL(one.trim()) : undefined
    if (url?.protocol === 'https:' && url.pathname === '/' && url.search === '' && url.username === '') return url
    throw new AppError(platformErrors.environment_missing, `[${one}] is no address as https://host:9200`)
  })
}

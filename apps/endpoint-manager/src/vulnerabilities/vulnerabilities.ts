import { setTimeout as sleep } from 'node:timers/promises'
import { messageOf } from '@logstack/errors'
import type { Logger } from '@logstack/logging'
import type { SearchClient } from '@logstack/search-client'
import { AdvisoryBook, importedReleases } from './advisory-book.ts'
import { type Changes, forgetOthers, keepFindings } from './known-vulnerabilities.ts'
import { findingsOf } from './matching.ts'
import { inventoriedHosts, scannedHost } from './scanned-hosts.ts'

/** What looking for vulnerabilities needs of the part. */
export interface VulnerabilityServices {
  readonly search: SearchClient
  readonly logger: Logger
  readonly now: () => number
  /** How long to wait between two looks, in milliseconds. */
  readonly everyMs: () => number
}

/** Compares what hosts have installed with what advisories say, again whenever one of the two changed. */
export class Vulnerabilities {
  readonly #services: VulnerabilityServices
  /** By agent: of which packages and advisories the documents are. */
  readonly #compared = new Map<string, string>()
  readonly #stopping = new AbortController()
  readonly #running: Promise<void>

  constructor(services: VulnerabilityServices) {
    this.#services = services
    this.#running = this.#run()
  }

  async stop(): Promise<void> {
    this.#stopping.abort()
    await this.#running
  }

  async #run(): Promise<void> {
    const { signal } = this.#stopping
    const { logger, everyMs } = this.#services
    while (!signal.aborted) {
      try {
        await this.#look()
      } catch (thrown) {
        // A stack that starts or is being repaired; the next look begins where this one ended.
        logger.warn(`vulnerabilities wait: ${messageOf(thrown)}`)
      }
      await sleep(everyMs(), undefined, { signal, ref: false }).catch(() => undefined)
    }
  }

  async #look(): Promise<void> {
    const { search, logger } = this.#services
    const releases = await importedReleases(search)
    // Nothing was ever imported: nothing is known, and nothing to be forgotten.
    if (releases.size === 0) return
    const hosts = await inventoriedHosts(search)
    const books = new Map<string, AdvisoryBook>()
    const scanned = new Set<string>()
    const imported = [...releases].join(' ')
    for (const { agent, state } of hosts) {
      if (this.#stopping.signal.aborted) return
      scanned.add(agent)
      const compared = `${state} ${imported}`
      if (this.#compared.get(agent) === compared) continue
      const changes = await this.#compare(agent, releases, books)
      this.#compared.set(agent, compared)
      if (changes.found + changes.gone > 0) logger.info({ agent, ...changes }, 'vulnerabilities of a host')
    }
    for (const agent of this.#compared.keys()) if (!scanned.has(agent)) this.#compared.delete(agent)
    await forgetOthers(search, scanned)
  }

  /** Nothing is known of a host without advisories, such as one of a release that none were imported for. */
  async #compare(
    agent: string,
    releases: ReadonlyMap<string, string>,
    books: Map<string, AdvisoryBook>,
  ): Promise<Changes> {
    const { search, now } = this.#services
    const host = await scannedHost(search, agent)
    if (!host || !releases.has(host.distribution)) return keepFindings(search, agent, [], now())
    const book = books.get(host.distribution) ?? new AdvisoryBook(search, host.distribution)
    books.set(host.distribution, book)
    await book.read(host.packages.map(({ name }) => name))
    const findings = findingsOf(host, (name) => book.of(name))
    return keepFindings(search, agent, findings, now())
  }
}

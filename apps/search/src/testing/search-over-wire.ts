import { setTimeout as sleep } from 'node:timers/promises'
import { startSearch, type TestSearch } from '@logstack/testkit'
import { afterAll, beforeAll } from 'vitest'
import { type WireClient, wireClient } from './https-client.ts'

/** A process that ends is waited for, so that its last words are told. */
const endedWithinMs = 1_000
const saidCharsMax = 4_000

/** Asks the search of a test as the administrator, and says where it is. */
interface OverWire {
  (...asked: Parameters<WireClient['send']>): ReturnType<WireClient['send']>
  /** `https://127.0.0.1:port` */
  url(): string
  /** The administrator's. */
  password(): string
  /** Where it keeps everything. */
  dataDir(): string
  /** Ends it at once, as a loss of power does, and starts it again where it was. */
  crash(): Promise<void>
}

/** Starts a search of its own before the tests of a file and stops it after them; what is given back asks it as the administrator. */
export function searchOverWire(options: Parameters<typeof startSearch>[0] = {}): OverWire {
  let search: TestSearch | undefined
  let client: WireClient | undefined
  beforeAll(async () => {
    search = await startSearch(options)
    const auth = `${search.username}:${search.password}`
    client = wireClient({ port: Number(new URL(search.url).port), ca: search.ca, auth })
  })
  afterAll(async () => {
    client?.close()
    await search?.stop()
  })
  const started = <T>(value: T | undefined): T => {
    if (value === undefined) throw new Error('BUG: search was asked before it was started')
    return value
  }
  const send: WireClient['send'] = async (path, request) => {
    try {
      return await started(client).send(path, request)
    } catch (cause) {
      await sleep(endedWithinMs)
      const said = started(search).log().slice(-saidCharsMax)
      throw new Error(`search gave no answer to ${request?.method ?? 'GET'} ${path}; the end of its log:\n${said}`, {
        cause,
      })
    }
  }
  return Object.assign(send, {
    url: () => started(search).url,
    password: () => started(search).password,
    dataDir: () => started(search).dataDir,
    crash: async () => {
      await started(search).kill()
      await started(search).restart()
    },
  })
}

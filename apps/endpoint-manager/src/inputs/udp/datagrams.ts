import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { Worker } from 'node:worker_threads'
import type { Logger } from '@logstack/logging'
import { type DatagramBlock, type DatagramNews, type DatagramThreadOptions, readDatagrams } from './datagram-thread.ts'
import { kernelDrops } from './kernel-drops.ts'

const receiveBufferBytes = 8 * 1024 * 1024
// The largest datagram, and some thousand of syslog's usual size.
const blockBytes = 256 * 1024
const gatherMs = 10
const unreadBytesMax = 32 * 1024 * 1024
// Some ten thousand datagrams.
const closingTurnsMax = 1_000
const watchEveryMs = 10_000

/** One datagram. */
export interface Datagram {
  readonly bytes: Buffer
  readonly sender: string
}

/** Who takes datagrams, and who hears of those that are lost. */
export interface DatagramReceiver {
  /** Takes some, in the order in which they came; must not throw. */
  take(datagrams: readonly Datagram[]): void
  /** So many more are lost: the kernel had no room, or this process did not come to reading them. */
  lost(count: number, where: 'kernel' | 'process'): void
}

/** A socket whose datagrams a thread of its own fetches. */
export class Datagrams {
  readonly #thread: Worker
  readonly #port: number
  readonly #receiver: DatagramReceiver
  #watch: NodeJS.Timeout | undefined
  #kernelDrops = 0

  private constructor(thread: Worker, port: number, receiver: DatagramReceiver) {
    this.#thread = thread
    this.#port = port
    this.#receiver = receiver
  }

  /** Listens; rejects with the system's message where it cannot. */
  static async listen(
    address: { readonly host: string; readonly port: number },
    logger: Logger,
    receiver: DatagramReceiver,
  ): Promise<Datagrams> {
    const workerData: DatagramThreadOptions = {
      type: address.host.includes(':') ? 'udp6' : 'udp4',
      host: address.host,
      port: address.port,
      receiveBufferBytes,
      blockBytes,
      gatherMs,
      unreadBytesMax,
      closingTurnsMax,
    }
    const resourceLimits = { maxOldGenerationSizeMb: 64, maxYoungGenerationSizeMb: 8 }
    const thread = new Worker(`(${readDatagrams.toString()})(require)`, { eval: true, workerData, resourceLimits })
    const [first] = (await once(thread, 'message')) as [DatagramNews]
    if (first.kind === 'failed') {
      await thread.terminate()
      throw new Error(first.message)
    }
    const datagrams = new Datagrams(thread, address.port, receiver)
    thread.on('message', (news: DatagramNews) => datagrams.#hear(news, logger))
    thread.on('error', (thrown) => logger.error({ err: thrown }, `nobody reads port ${address.port} over UDP any more`))
    datagrams.#watchKernel()
    return datagrams
  }

  /** Closes the socket; resolves when what came before was taken. */
  async close(): Promise<void> {
    clearInterval(this.#watch)
    this.#countKernelDrops()
    const ended = once(this.#thread, 'exit')
    this.#thread.postMessage('close')
    await ended
  }

  #hear(news: DatagramNews, logger: Logger): void {
    if (news.kind === 'failed') logger.error(`port ${this.#port} over UDP: ${news.message}`)
    if (news.kind !== 'block') return
    const datagrams = unpack(news.block)
    this.#receiver.take(datagrams)
    this.#thread.postMessage(news.block.ends.at(-1) ?? 0)
    if (news.dropped > 0) this.#receiver.lost(news.dropped, 'process')
  }

  #watchKernel(): void {
    this.#kernelDrops = dropsNow(this.#port)
    this.#watch = setInterval(() => this.#countKernelDrops(), watchEveryMs)
    this.#watch.unref()
  }

  #countKernelDrops(): void {
    const drops = dropsNow(this.#port)
    if (drops > this.#kernelDrops) this.#receiver.lost(drops - this.#kernelDrops, 'kernel')
    this.#kernelDrops = drops
  }
}

function unpack({ bytes, ends, from, senders }: DatagramBlock): Datagram[] {
  const all = Buffer.from(bytes)
  return ends.map((end, at) => ({
    bytes: all.subarray(at === 0 ? 0 : ends[at - 1], end),
    sender: senders[from[at] ?? 0] ?? '',
  }))
}

/** How many datagrams for a port the kernel has dropped so far; 0 where it does not tell. */
function dropsNow(port: number): number {
  return ['/proc/net/udp', '/proc/net/udp6'].reduce((sum, path) => sum + kernelDrops(readIfThere(path), port), 0)
}

function readIfThere(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (thrown) {
    // No IPv6, or no Linux.
    if ((thrown as NodeJS.ErrnoException).code === 'ENOENT') return ''
    throw thrown
  }
}

import { createServer, type Server, Socket } from 'node:net'

/** What a line does with connections: `refused` answers nothing new and breaks the old ones, `silent` keeps them and passes no byte. */
export type LineState = 'open' | 'refused' | 'reset' | 'silent' | 'slow'

const slowDelayMs = 30
const slowBytesPerMs = 64

/** A TCP line to a port of 127.0.0.1 that can be cut, silenced and slowed while connections are open. */
export class CutProxy {
  readonly port: number
  readonly #target: number
  readonly #server: Server
  readonly #links = new Set<Link>()
  #state: LineState = 'open'

  private constructor(port: number, target: number) {
    this.port = port
    this.#target = target
    this.#server = createServer({ allowHalfOpen: true }, (near) => this.#accept(near))
  }

  /** Listens on `port` for what is to reach `target`. */
  static async start(port: number, target: number): Promise<CutProxy> {
    const proxy = new CutProxy(port, target)
    await proxy.#listen()
    return proxy
  }

  /** From now on; back to `open` lets connections that were silent go on where they stood. */
  async set(state: LineState): Promise<void> {
    const before = this.#state
    this.#state = state
    if (before === 'refused' && state !== 'refused') await this.#listen()
    if (state === 'refused') this.#server.close()
    for (const link of this.#links) {
      if (state === 'refused' || state === 'reset') link.reset()
      else if (state === 'silent') link.hold()
      else link.goOn()
    }
  }

  close(): void {
    this.#server.close()
    for (const link of this.#links) link.reset()
  }

  #listen(): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#server.once('error', reject)
      this.#server.listen(this.port, '127.0.0.1', () => resolve())
    })
  }

  #accept(near: Socket): void {
    const link = new Link(near, this.#target, () => this.#state === 'slow')
    this.#links.add(link)
    link.whenGone(() => this.#links.delete(link))
    if (this.#state === 'reset') link.reset()
    if (this.#state === 'silent') link.hold()
  }
}

/** One connection and its continuation; what either end does is done to the other. */
class Link {
  readonly #ends: readonly [Socket, Socket]
  readonly #isSlow: () => boolean
  #held = false
  /** Ends whose last bytes are on their way: what follows waits for them. */
  readonly #passing = new Set<Socket>()

  constructor(near: Socket, target: number, isSlow: () => boolean) {
    const far = new Socket({ allowHalfOpen: true })
    this.#ends = [near, far]
    this.#isSlow = isSlow
    this.#copy(near, far)
    this.#copy(far, near)
    far.connect(target, '127.0.0.1')
  }

  whenGone(gone: () => void): void {
    this.#ends[0].once('close', gone)
  }

  hold(): void {
    this.#held = true
    for (const end of this.#ends) end.pause()
  }

  goOn(): void {
    this.#held = false
    for (const end of this.#ends) if (!this.#passing.has(end)) end.resume()
  }

  reset(): void {
    for (const end of this.#ends) end.resetAndDestroy()
  }

  #copy(from: Socket, to: Socket): void {
    from.on('data', (bytes: Buffer) => {
      from.pause()
      this.#passing.add(from)
      const pass = (): void => {
        if (to.destroyed) return
        to.write(bytes, () => {
          this.#passing.delete(from)
          if (!this.#held) from.resume()
        })
      }
      if (this.#isSlow()) setTimeout(pass, slowDelayMs + bytes.length / slowBytesPerMs)
      else pass()
    })
    from.on('end', () => to.end())
    // A broken connection is what this is for: the other end learns of it in the same way.
    from.on('error', () => to.resetAndDestroy())
    from.on('close', () => to.destroy())
  }
}

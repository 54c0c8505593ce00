/** What the thread is started with. */
export interface DatagramThreadOptions {
  readonly type: 'udp4' | 'udp6'
  readonly host: string
  readonly port: number
  readonly receiveBufferBytes: number
  readonly blockBytes: number
  readonly gatherMs: number
  /** Beyond so many bytes that nobody took yet, datagrams are dropped and counted. */
  readonly unreadBytesMax: number
  /** How many turns of the loop may go by, at closing, before nothing more is read although more comes. */
  readonly closingTurnsMax: number
}

/** Datagrams one behind the other, as they cross to the main thread. */
export interface DatagramBlock {
  readonly bytes: ArrayBuffer
  /** Where each datagram ends. */
  readonly ends: readonly number[]
  /** For each datagram the number of its sender in `senders`. */
  readonly from: readonly number[]
  readonly senders: readonly string[]
}

/** What the thread says. */
export type DatagramNews =
  | { readonly kind: 'listening' }
  | { readonly kind: 'failed'; readonly message: string }
  | { readonly kind: 'block'; readonly block: DatagramBlock; readonly dropped: number }

/**
 * The whole program of the thread that empties the kernel's buffer, which holds some hundred datagrams only: whatever else the process is doing, they
 * are fetched at once. It is started from its own text, so it must use nothing from outside; what it hears are numbers of bytes that were taken, and
 * `close`.
 */
export function readDatagrams(load: NodeJS.Require): void {
  const { createSocket } = load('node:dgram') as typeof import('node:dgram')
  const { parentPort, workerData } = load('node:worker_threads') as typeof import('node:worker_threads')
  const options = workerData as DatagramThreadOptions
  const say = (news: DatagramNews, moved: ArrayBuffer[] = []): void => parentPort?.postMessage(news, moved)
  const socket = createSocket({ type: options.type, recvBufferSize: options.receiveBufferBytes })
  let block = Buffer.allocUnsafeSlow(options.blockBytes)
  let ends: number[] = []
  let from: number[] = []
  let senders = new Map<string, number>()
  let timer: NodeJS.Timeout | undefined
  let received = 0
  let unread = 0
  let dropped = 0

  const flush = (): void => {
    clearTimeout(timer)
    timer = undefined
    if (ends.length === 0 && dropped === 0) return
    const used = ends.at(-1) ?? 0
    const isFull = used > block.length / 2
    const bytes = (isFull ? block.buffer : block.buffer.slice(0, used)) as ArrayBuffer
    say({ kind: 'block', block: { bytes, ends, from, senders: [...senders.keys()] }, dropped }, [bytes])
    if (isFull) block = Buffer.allocUnsafeSlow(options.blockBytes)
    ends = []
    from = []
    senders = new Map()
    dropped = 0
  }
  // Each turn of the loop takes some datagrams from the kernel; one that takes none has found nothing there.
  const emptyKernel = (turnsLeft: number, then: () => void): void => {
    const before = received
    setImmediate(() =>
      setImmediate(() => (received === before || turnsLeft === 0 ? then() : emptyKernel(turnsLeft - 1, then))),
    )
  }
  socket.on('message', (bytes, { address }) => {
    received += 1
    timer ??= setTimeout(flush, options.gatherMs)
    if (unread + bytes.length > options.unreadBytesMax) {
      dropped += 1
      return
    }
    const start = ends.at(-1) ?? 0
    if (start + bytes.length > block.length) {
      flush()
      timer = setTimeout(flush, options.gatherMs)
    }
    const at = ends.at(-1) ?? 0
    bytes.copy(block, at)
    ends.push(at + bytes.length)
    const sender = senders.get(address) ?? senders.size
    senders.set(address, sender)
    from.push(sender)
    unread += bytes.length
  })
  socket.on('error', (thrown) => say({ kind: 'failed', message: thrown.message }))
  socket.bind(options.port, options.host, () => say({ kind: 'listening' }))
  parentPort?.on('message', (heard: number | 'close') => {
    if (heard !== 'close') {
      unread -= heard
      return
    }
    emptyKernel(options.closingTurnsMax, () => {
      socket.close()
      flush()
      parentPort?.close()
    })
  })
}

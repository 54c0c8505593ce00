import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { closeSync, createReadStream } from 'node:fs'
import { pipeline, type Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { fingerprintBytesMax } from './bookmark.ts'
import { LineCutter, type LineLimits } from './line-cutter.ts'
import { packingOf } from './rotated-files.ts'
import { lineAt, type OpenFile, type TailedLine } from './tail.ts'

const portionBytes = 256 * 1024
const complaintCharactersMax = 500
/** Node's own library has gzip in every version; who compresses with another has its program. */
const unpackers: Readonly<Record<string, string>> = { zst: 'zstd', xz: 'xz', bz2: 'bzip2' }

/**
 * The bytes of an open file from its beginning, unpacked when its name says that it is compressed; closes it. Throws what reading throws, and for what is
 * not whole.
 */
export async function* bytesOf(path: string, file: number): AsyncGenerator<Buffer> {
  const packing = packingOf(path)
  const unpacker = unpackers[packing ?? '']
  if (unpacker !== undefined) return yield* unpackWith(unpacker, file)
  const stream = createReadStream(path, { fd: file, start: 0, highWaterMark: portionBytes })
  if (packing === undefined) return yield* stream
  const unpacked = createGunzip()
  // A failure ends the iteration below; nothing else is to be done about it.
  pipeline(stream, unpacked, () => undefined)
  yield* unpacked
}

async function* unpackWith(program: string, file: number): AsyncGenerator<Buffer> {
  const child = spawn(program, ['-dc'], { stdio: [file, 'pipe', 'pipe'] }) as ChildProcessByStdio<
    null,
    Readable,
    Readable
  >
  closeSync(file)
  let complaint = ''
  child.stderr.on('data', (bytes: Buffer) => {
    complaint = (complaint + bytes.toString('utf8')).slice(0, complaintCharactersMax)
  })
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', resolve)
  })
  // Awaited below; until then its failure is no unhandled one.
  ended.catch(() => undefined)
  try {
    yield* child.stdout
    if ((await ended) !== 0) throw new Error(`${program}: ${complaint.trim()}`)
  } finally {
    child.kill('SIGKILL')
  }
}

/** A compressed file, read once from a position of what it unpacks to. It holds one portion at a time, whatever the file's size. */
export class PackedFile {
  readonly inode: string
  readonly source: string
  readonly path: string
  readonly home: string
  readonly #number: number
  readonly #bytes: AsyncGenerator<Buffer>
  readonly #cutter: LineCutter
  readonly #portionBytes: number
  #pending: Buffer[] = []
  #head: Buffer = Buffer.alloc(0)
  #isStarted = false
  position: number
  /** Whether everything was read. */
  isAtEnd = false

  /** Takes an open file. */
  constructor(
    file: OpenFile,
    limits: LineLimits,
    start: { readonly position: number; readonly pieces?: number | undefined },
  ) {
    this.path = file.path
    this.inode = file.inode
    this.source = file.source
    this.home = file.home
    this.#number = file.number
    this.#bytes = bytesOf(file.path, file.number)
    this.#cutter = new LineCutter(limits, start.pieces)
    this.#portionBytes = Math.max(portionBytes, limits.lineBytesMax + 1)
    this.position = start.position
  }

  /** The next lines; none at the end. Throws what reading and unpacking throw. */
  async read(): Promise<TailedLine[]> {
    const isFirst = !this.#isStarted
    this.#isStarted = true
    if (isFirst) await this.#skip()
    await this.#fill()
    const bytes = Buffer.concat(this.#pending)
    if (isFirst) this.#cutter.begin(this.position > 0 ? this.#head : bytes)
    const { lines, used } = this.#cutter.cut(bytes, this.isAtEnd)
    if (this.#head.length < fingerprintBytesMax) {
      const missing = bytes.subarray(0, fingerprintBytesMax - this.#head.length)
      this.#head = Buffer.concat([this.#head, missing.subarray(0, used)])
    }
    const base = { position: this.position, bytes, head: this.#head, home: this.home, read: Date.now() }
    this.#pending = [bytes.subarray(used)]
    this.position += used
    return lines.flatMap((line) => (line.text === '' ? [] : [lineAt(line, base)]))
  }

  async close(): Promise<void> {
    if (this.#isStarted) await this.#bytes.return(undefined)
    else closeSync(this.#number)
  }

  async #skip(): Promise<void> {
    let left = this.position
    while (left > 0) {
      const { value, done } = await this.#bytes.next()
      if (done) throw new Error(`${this.path} ends before the place where it was read to`)
      const skipped = value.subarray(0, left)
      this.#head = Buffer.concat([this.#head, skipped.subarray(0, fingerprintBytesMax - this.#head.length)])
      if (value.length > left) this.#pending.push(value.subarray(left))
      left -= skipped.length
    }
  }

  async #fill(): Promise<void> {
    let length = this.#pending.reduce((sum, bytes) => sum + bytes.length, 0)
    while (length < this.#portionBytes) {
      const { value, done } = await this.#bytes.next()
      if (done) {
        this.isAtEnd = true
        return
      }
      this.#pending.push(value)
      length += value.length
    }
  }
}

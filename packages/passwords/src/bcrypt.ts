import { setImmediate } from 'node:timers/promises'
import { secretsEqual } from './compare.ts'

/** The hashes that are taken: their cost is bounded, as each more doubles the work of a login. */
export const bcryptCost = { least: 4, most: 14 } as const

const shape = /^\$2[aby]\$(\d\d)\$([./A-Za-z0-9]{22})([./A-Za-z0-9]{31})$/
const alphabet = './ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'
const base64 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'
/** Rounds between which others have their turn. */
const roundsATurn = 64
/** bcrypt looks at no more of a password. */
const passwordBytesUsed = 72

const subkeys = 18
const boxWords = 1024

/** Whether a text is a bcrypt hash of a cost that is taken. */
export function isBcryptHash(text: string): boolean {
  const cost = Number(shape.exec(text)?.[1] ?? Number.NaN)
  return cost >= bcryptCost.least && cost <= bcryptCost.most
}

/** Whether the password made the bcrypt hash (`$2a$`, `$2b$`, `$2y$`); throws for what is none. After Provos and Mazières, 1999. */
export async function verifyBcrypt(hash: string, password: string): Promise<boolean> {
  const [, cost, salt = '', expected = ''] = shape.exec(hash) ?? []
  if (cost === undefined || !isBcryptHash(hash)) throw new TypeError('no bcrypt hash of a cost that is taken')
  const key = Buffer.from(`${password}\0`, 'utf8').subarray(0, passwordBytesUsed)
  const made = await hashed(key, decoded(salt).subarray(0, 16), 2 ** Number(cost))
  return secretsEqual(encoded(made.subarray(0, 23)), expected)
}

function decoded(text: string): Buffer {
  return Buffer.from([...text].map((letter) => base64.charAt(alphabet.indexOf(letter))).join(''), 'base64')
}

function encoded(bytes: Buffer): string {
  const standard = bytes.toString('base64').replace(/=+$/, '')
  return [...standard].map((letter) => alphabet.charAt(base64.indexOf(letter))).join('')
}

/** The digits of pi behind its point, as words of 32 bits: what Blowfish begins with. By Machin's formula. */
function wordsOfPi(count: number): Uint32Array {
  const guard = 64n
  const one = 1n << (BigInt(count) * 32n + guard)
  const arctanOf = (inverse: bigint): bigint => {
    let [sum, power] = [0n, one / inverse]
    for (let at = 0n; power !== 0n; at++) {
      sum += (at % 2n === 0n ? power : -power) / (2n * at + 1n)
      power /= inverse * inverse
    }
    return sum
  }
  const pi = 4n * (4n * arctanOf(5n) - arctanOf(239n))
  const fraction = (pi - 3n * one) >> guard
  const digits = fraction.toString(16).padStart(count * 8, '0')
  return Uint32Array.from({ length: count }, (_, at) => Number.parseInt(digits.slice(at * 8, at * 8 + 8), 16))
}

const start: { words?: Uint32Array } = {}

/** Blowfish as bcrypt uses it: subkeys and boxes that passwords and salts are mixed into. */
class Blowfish {
  readonly #keys: Uint32Array
  readonly #boxes: Uint32Array
  /** Both halves of the block that was enciphered last. */
  left = 0
  right = 0

  constructor() {
    start.words ??= wordsOfPi(subkeys + boxWords)
    this.#keys = start.words.slice(0, subkeys)
    this.#boxes = start.words.slice(subkeys)
  }

  encipher(): void {
    const [keys, boxes] = [this.#keys, this.#boxes]
    let left = this.left ^ (keys[0] ?? 0)
    let right = this.right
    for (let round = 1; round <= 16; round++) {
      const mixed =
        (((((boxes[left >>> 24] ?? 0) + (boxes[256 + ((left >>> 16) & 0xff)] ?? 0)) | 0) ^
          (boxes[512 + ((left >>> 8) & 0xff)] ?? 0)) +
          (boxes[768 + (left & 0xff)] ?? 0)) |
        0
      const next = right ^ mixed ^ (keys[round] ?? 0)
      right = left
      left = next
    }
    this.left = (right ^ (keys[17] ?? 0)) | 0
    this.right = left | 0
  }

  /** Mixes a key in, and with each block the next words of the salt; without a salt that is nothing. */
  expand(key: Uint32Array, salt: Uint32Array | undefined): void {
    for (let at = 0; at < subkeys; at++) this.#keys[at] = (this.#keys[at] ?? 0) ^ (key[at] ?? 0)
    this.left = 0
    this.right = 0
    let place = 0
    for (const words of [this.#keys, this.#boxes])
      for (let at = 0; at < words.length; at += 2) {
        if (salt) {
          this.left ^= salt[place % 4] ?? 0
          this.right ^= salt[(place + 1) % 4] ?? 0
          place += 2
        }
        this.encipher()
        words[at] = this.left
        words[at + 1] = this.right
      }
  }
}

/** As many words as there are subkeys, of bytes that begin anew when they end. */
function repeated(bytes: Buffer): Uint32Array {
  return Uint32Array.from({ length: subkeys }, (_, word) =>
    [0, 1, 2, 3].reduce((sum, at) => ((sum << 8) | (bytes[(word * 4 + at) % bytes.length] ?? 0)) >>> 0, 0),
  )
}

async function hashed(password: Buffer, saltBytes: Buffer, rounds: number): Promise<Buffer> {
  const cipher = new Blowfish()
  const key = repeated(password)
  const salt = repeated(saltBytes)
  cipher.expand(key, salt)
  for (let round = 0; round < rounds; round++) {
    cipher.expand(key, undefined)
    cipher.expand(salt, undefined)
    if (round % roundsATurn === roundsATurn - 1) await setImmediate()
  }
  const text = Buffer.from('OrpheanBeholderScryDoubt', 'latin1')
  const made = Buffer.alloc(text.length)
  for (let at = 0; at < text.length; at += 8) {
    cipher.left = text.readInt32BE(at)
    cipher.right = text.readInt32BE(at + 4)
    for (let time = 0; time < 64; time++) cipher.encipher()
    made.writeInt32BE(cipher.left, at)
    made.writeInt32BE(cipher.right, at + 4)
  }
  return made
}

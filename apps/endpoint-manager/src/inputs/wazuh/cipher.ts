import { createCipheriv, createDecipheriv, createHash, randomInt } from 'node:crypto'
import { deflateSync, inflateSync } from 'node:zlib'

/** Of a message as the agent wrote it; its own buffers hold no longer ones. */
const messageBytesMax = 65_536
/** md5 of what follows it, then `%05u%010u:%04u:`: a random number and the two counters. */
const sumLength = 32
const headLength = sumLength + 5 + 10 + 1 + 4 + 1
const mark = Buffer.from('#AES:')
const initialVector = Buffer.from('FEDCBA0987654321')
const padding = 0x21
const blockBytes = 8
const localCounterMax = 9_997

/** The counters of messages that one side sends. Agents do not look at them unless they are told to. */
export interface SentCounters {
  global: number
  local: number
}

/** The key for AES of an agent's messages, both ways, from its key in `client.keys`: the digits of its sum, not their bytes. */
export function cipherKey(key: string): Buffer {
  return Buffer.from(md5(key))
}

/**
 * Opens what an agent sent (`#AES:` and the ciphertext, without `!ID!`): the message, its bytes. Throws for whatever was not sealed with this key. That a
 * message was sent before is not noticed: agents that are installed anew count anew.
 */
export function openMessage(sealed: Buffer, cipher: Buffer): Buffer {
  if (!sealed.subarray(0, mark.length).equals(mark))
    throw new Error('it is not encrypted with AES (<crypto_method> in its ossec.conf)')
  const decipher = createDecipheriv('aes-256-cbc', cipher, initialVector)
  const packed = Buffer.concat([decipher.update(sealed.subarray(mark.length)), decipher.final()])
  let from = 0
  while (packed[from] === padding) from += 1
  if (from === 0) throw new Error('it is not packed as messages of agents are')
  const whole = inflateSync(packed.subarray(from), { maxOutputLength: messageBytesMax + headLength })
  const head = whole.toString('latin1', 0, headLength)
  const isSound =
    /^[0-9a-f]{32}[\d ]{5}\d{10}:\d{4}:$/.test(head) && md5(whole.subarray(sumLength)) === head.slice(0, sumLength)
  if (!isSound) throw new Error('its checksum is wrong')
  return whole.subarray(headLength)
}

/** Seals a message for an agent, or for a server: the opposite of `openMessage`. */
export function sealMessage(message: Buffer, cipher: Buffer, counters: SentCounters): Buffer {
  if (counters.local >= localCounterMax) {
    counters.local = 0
    counters.global += 1
  }
  counters.local += 1
  const digits = (value: number, length: number): string => String(value).padStart(length, '0')
  const head = `${digits(randomInt(65_536), 5)}${digits(counters.global, 10)}:${digits(counters.local, 4)}:`
  const body = Buffer.concat([Buffer.from(head), message])
  const packed = deflateSync(Buffer.concat([Buffer.from(md5(body)), body]), { level: 9 })
  const pad = Buffer.alloc(blockBytes - (packed.length % blockBytes), padding)
  const encrypt = createCipheriv('aes-256-cbc', cipher, initialVector)
  return Buffer.concat([mark, encrypt.update(pad), encrypt.update(packed), encrypt.final()])
}

function md5(value: string | Buffer): string {
  return createHash('md5').update(value).digest('hex')
}

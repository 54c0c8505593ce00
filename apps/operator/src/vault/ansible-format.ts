import { createCipheriv, createDecipheriv, createHmac, pbkdf2Sync, randomBytes, timingSafeEqual } from 'node:crypto'

// Ansible vault 1.1 (docs.ansible.com, "Ansible Vault payload format 1.1"): hex(hex(salt) LF hex(hmac) LF hex(ciphertext)), lines of 80.
const header = '$ANSIBLE_VAULT;1.1;AES256'
const parameters = { iterations: 10_000, saltBytes: 32, keyBytes: 32, ivBytes: 16, lineWidth: 80 } as const

/** Encrypts a text into an Ansible vault file. */
export function encryptVault(plain: string, key: string, salt: Buffer = randomBytes(parameters.saltBytes)): string {
  const { cipherKey, hmacKey, iv } = deriveKeys(key, salt)
  const cipher = createCipheriv('aes-256-ctr', cipherKey, iv)
  const ciphertext = Buffer.concat([cipher.update(pad(Buffer.from(plain, 'utf8'))), cipher.final()])
  const pieces = [salt, hmacOf(hmacKey, ciphertext), ciphertext].map((piece) => piece.toString('hex'))
  const body = Buffer.from(pieces.join('\n'), 'ascii').toString('hex')
  const lines = body.match(new RegExp(`.{1,${parameters.lineWidth}}`, 'g')) ?? []
  return `${[header, ...lines].join('\n')}\n`
}

/** Why a vault file could not be read. */
class VaultFormatError extends Error {}

/** Decrypts an Ansible vault file (1.1, or 1.2 with a label); throws `VaultFormatError` when it is none, damaged, or of another key. */
export function decryptVault(text: string, key: string): string {
  const [first = '', ...lines] = text.trim().split(/\r?\n/)
  if (!/^\$ANSIBLE_VAULT;1\.[12];AES256(;.*)?$/.test(first.trim())) throw new VaultFormatError('not a vault file')
  const pieces = Buffer.from(lines.join('').replace(/\s/g, ''), 'hex').toString('ascii').split('\n')
  const [salt, hmac, ciphertext] = pieces.map((piece) => Buffer.from(piece, 'hex'))
  if (!salt || !hmac || !ciphertext) throw new VaultFormatError('the file is damaged')
  const { cipherKey, hmacKey, iv } = deriveKeys(key, salt)
  const expected = hmacOf(hmacKey, ciphertext)
  if (hmac.length !== expected.length || !timingSafeEqual(hmac, expected)) {
    throw new VaultFormatError('the key does not fit, or the file was changed')
  }
  const decipher = createDecipheriv('aes-256-ctr', cipherKey, iv)
  return unpad(Buffer.concat([decipher.update(ciphertext), decipher.final()])).toString('utf8')
}

function deriveKeys(key: string, salt: Buffer): { cipherKey: Buffer; hmacKey: Buffer; iv: Buffer } {
  const { keyBytes, ivBytes, iterations } = parameters
  const derived = pbkdf2Sync(key, salt, iterations, keyBytes * 2 + ivBytes, 'sha256')
  return {
    cipherKey: derived.subarray(0, keyBytes),
    hmacKey: derived.subarray(keyBytes, keyBytes * 2),
    iv: derived.subarray(keyBytes * 2),
  }
}

function hmacOf(hmacKey: Buffer, ciphertext: Buffer): Buffer {
  return createHmac('sha256', hmacKey).update(ciphertext).digest()
}

// PKCS #7 with the block of AES, although the counter mode would not need it.
function pad(plain: Buffer): Buffer {
  const missing = 16 - (plain.length % 16)
  return Buffer.concat([plain, Buffer.alloc(missing, missing)])
}

function unpad(padded: Buffer): Buffer {
  const added = padded.at(-1) ?? 0
  if (added < 1 || added > 16 || added > padded.length) throw new VaultFormatError('the file is damaged')
  return padded.subarray(0, padded.length - added)
}

import {
  createCipheriv,
  createDecipheriv,
  createPrivateKey,
  createPublicKey,
  diffieHellman,
  generateKeyPairSync,
  hkdfSync,
  type KeyObject,
} from 'node:crypto'

/** A pair of PEM keys: whoever has the public one can seal a text, only who has the private one can open it. */
export interface SealingKeys {
  readonly publicKey: string
  readonly privateKey: string
}

const cipher = { name: 'aes-256-gcm', keyBytes: 32, ivBytes: 12, tagBytes: 16 } as const

/** Makes a pair of X25519 keys for sealing. */
export function createSealingKeys(): SealingKeys {
  const { publicKey, privateKey } = generateKeyPairSync('x25519')
  return {
    publicKey: publicKey.export({ type: 'spki', format: 'pem' }).toString(),
    privateKey: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  }
}

/** Seals a text for the owner of the private key: X25519 with a key for this text alone, HKDF-SHA-256, AES-256-GCM; base64. */
export function seal(text: string, publicKeyPem: string): string {
  const once = generateKeyPairSync('x25519')
  const receiver = createPublicKey(publicKeyPem)
  const sender = once.publicKey.export({ type: 'spki', format: 'der' })
  const { key, iv } = agree(once.privateKey, receiver, sender)
  const encrypting = createCipheriv(cipher.name, key, iv)
  const body = Buffer.concat([encrypting.update(text, 'utf8'), encrypting.final()])
  return Buffer.concat([sender, encrypting.getAuthTag(), body]).toString('base64')
}

/** Opens what `seal` made; throws when it is damaged or was sealed for another key. */
export function openSealed(sealed: string, privateKeyPem: string): string {
  const bytes = Buffer.from(sealed, 'base64')
  const privateKey = createPrivateKey(privateKeyPem)
  const senderBytes = createPublicKey(privateKey).export({ type: 'spki', format: 'der' }).length
  const sender = bytes.subarray(0, senderBytes)
  const tag = bytes.subarray(senderBytes, senderBytes + cipher.tagBytes)
  const { key, iv } = agree(privateKey, createPublicKey({ key: sender, type: 'spki', format: 'der' }), sender)
  const decrypting = createDecipheriv(cipher.name, key, iv, { authTagLength: cipher.tagBytes })
  decrypting.setAuthTag(tag)
  const body = bytes.subarray(senderBytes + cipher.tagBytes)
  return Buffer.concat([decrypting.update(body), decrypting.final()]).toString('utf8')
}

// The sender's key goes into the salt: key and iv are of this text alone, and never used for another.
function agree(own: KeyObject, other: KeyObject, salt: Buffer): { key: Buffer; iv: Buffer } {
  const secret = diffieHellman({ privateKey: own, publicKey: other })
  const derived = Buffer.from(hkdfSync('sha256', secret, salt, 'logstack sealed 1', cipher.keyBytes + cipher.ivBytes))
  return { key: derived.subarray(0, cipher.keyBytes), iv: derived.subarray(cipher.keyBytes) }
}

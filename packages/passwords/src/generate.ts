import { randomBytes, randomInt } from 'node:crypto'

// No 0 O 1 l I: people read passwords aloud and copy them by hand.
const letters = 'abcdefghijkmnopqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ'
const alphabet = `${letters}23456789`

/** Length of a generated password; 24 characters of 57 are 140 bits. */
export const generatedPasswordLength = 24

/** A random password of letters and digits without look-alikes, starting with a letter; safe in shells, YAML and URLs without quotes. */
export function generatePassword(length = generatedPasswordLength): string {
  const first = letters.charAt(randomInt(letters.length))
  const rest = Array.from({ length: length - 1 }, () => alphabet.charAt(randomInt(alphabet.length)))
  return first + rest.join('')
}

/** A random token of `bytes` random bytes, base64url; for machines only. */
export function generateToken(bytes = 32): string {
  return randomBytes(bytes).toString('base64url')
}

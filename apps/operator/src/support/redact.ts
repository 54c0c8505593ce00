import { isAppError } from '@logstack/errors'
import type { Vault } from '../vault/vault.ts'

const replacement = '<redacted>'
/** A shorter secret would redact half the words of the language. */
const secretLengthMin = 4
/** The end of such a name; what stands before it stays as it is. Looked for from each letter on, the beginning of a long line would be read for each of its letters. */
const namesOfSecrets = '(?:passw(?:or)?d|passwd|secret|token|api[_-]?key|apikey|credentials?|webhook(?:_url)?)'

// What may be a secret that the vault does not know: of a channel, of a user's own settings, of a log line.
const patterns: readonly (readonly [pattern: RegExp, instead: string])[] = [
  [/-----BEGIN ([A-Z ]*PRIVATE KEY)-----[\s\S]*?-----END \1-----/g, replacement],
  [/\b(Basic|Bearer|ApiKey)\s+[A-Za-z0-9+/=._-]{8,}/gi, `$1 ${replacement}`],
  // `password: x`, `"token":"x"`, `SECRET=x`; comments that only name a setting stay.
  [
    new RegExp(`(["']?${namesOfSecrets}["']?\\s*[:=]\\s*)("(?:[^"\\\\\\n]|\\\\.)*"|'[^'\\n]*'|[^\\s,}\\]"']+)`, 'gi'),
    `$1${replacement}`,
  ],
  // A name of any length would be looked for from each of its letters on.
  [/(\w{1,32}:\/\/[^/\s:@]+):[^/\s@]+@/g, `$1:${replacement}@`],
]

/** Takes secrets out of a text: every value given, in the forms in which texts hold them, and whatever looks like one. */
export function makeRedactor(
  secrets: readonly { readonly name: string; readonly value: string }[],
): (text: string) => string {
  const forms = secrets
    .flatMap(({ name, value }) => formsOf(name, value))
    .filter((form) => form.length >= secretLengthMin)
    // The longer first: one secret may be a part of another.
    .sort((one, other) => other.length - one.length)
  return (text) => {
    const known = forms.reduce((left, form) => left.replaceAll(form, replacement), text)
    return patterns.reduce((left, [pattern, instead]) => left.replace(pattern, instead), known)
  }
}

/** The secrets of a vault; what cannot be decrypted cannot be known, nor be in a text in the clear by our doing. */
export function secretsOf(vault: Vault): { name: string; value: string }[] {
  return vault.names().flatMap((name) => {
    try {
      return [{ name, value: vault.read(name) }]
    } catch (thrown) {
      if (isAppError(thrown)) return []
      throw thrown
    }
  })
}

function formsOf(name: string, value: string): string[] {
  const plain = value.trim()
  const lines = plain.includes('\n') ? plain.split('\n').filter((line) => line.length > 32) : []
  const base64 = (text: string): string => Buffer.from(text, 'utf8').toString('base64')
  return [
    value,
    plain,
    ...lines,
    JSON.stringify(plain).slice(1, -1),
    encodeURIComponent(plain),
    base64(plain),
    base64(`${name}:${plain}`),
  ]
}

import type { TextTransform } from '../kibana/value-format.ts'

/** A text as its transformation says; what cannot be decoded stays as it is. */
export function transformed(text: string, how: TextTransform): string {
  switch (how) {
    case 'upper':
      return text.toUpperCase()
    case 'lower':
      return text.toLowerCase()
    case 'title':
      return text.replaceAll(/\S+/g, (word) => word.slice(0, 1).toUpperCase() + word.slice(1).toLowerCase())
    case 'short': {
      const parts = text.split('.')
      return parts.map((part, at) => (at === parts.length - 1 ? part : part.slice(0, 1))).join('.')
    }
    case 'base64':
      return decoded(text, (given) =>
        new TextDecoder('utf-8', { fatal: true }).decode(Uint8Array.from(atob(given), (one) => one.charCodeAt(0))),
      )
    case 'urlparam':
      return decoded(text, decodeURIComponent)
  }
}

function decoded(text: string, decode: (text: string) => string): string {
  try {
    return decode(text)
  } catch {
    return text
  }
}

import { expect, it } from 'vitest'
import { ownText } from './own-text.ts'

it.each(['', 'host1', 'Größe 😀', 'half a character \ud83d'])('is the same text: %j', (text) => {
  expect(ownText(text)).toBe(text)
})

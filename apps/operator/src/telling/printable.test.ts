import { expect, it } from 'vitest'
import { printable } from './printable.ts'

it('takes the power from signs that steer a terminal, and leaves words and lines as they are', () => {
  const line = 'web\x1b]52;c;cm0gLXJm\x07\x1b[2J\r\x9b1A\x7f über — 日本\tone\n  two'
  const shown = 'web\\x1b]52;c;cm0gLXJm\\x07\\x1b[2J\\x0d\\x9b1A\\x7f über — 日本\tone\n  two'
  expect(printable(line, { isTTY: true })).toBe(shown)
})

it('changes nothing of what a program reads', () => {
  expect(printable('a\x1b[1m\r', { isTTY: false })).toBe('a\x1b[1m\r')
  expect(printable('a\x1b[1m\r', {})).toBe('a\x1b[1m\r')
})

import { AppError } from '@logstack/errors'
import { expect, it } from 'vitest'
import type { Token } from '../tokens/token.ts'
import { compileTokenScript } from './token-script.ts'

const words = (count: number): Token[] =>
  Array.from({ length: count }, (_, at) => ({ text: 'a', position: at, start: at, end: at + 1, type: 'word' }))

function reasonOf(work: () => unknown): string | undefined {
  try {
    work()
  } catch (thrown) {
    if (thrown instanceof AppError && thrown.cause instanceof Error) return thrown.cause.message
    throw thrown
  }
  return undefined
}

it('goes through a text in a time of its own, which is shorter where the one before was ended', () => {
  const source =
    'if (token.position < params.few) { return true } int s = 0; for (int i = 0; i < 900000; i++) { s += i } return s > 0'
  const holds = compileTokenScript({ source, params: { few: 10 } })
  const reasons = [1_000, 1_000, 10, 10, 1_000].map((count) => reasonOf(() => holds(words(count))))
  const ended = (ms: number) => `The script ran for more than ${ms} ms.`
  expect(reasons).toEqual([ended(1_000), ended(500), undefined, undefined, ended(1_000)])
})

it('keeps its time where a script fails by itself', () => {
  const holds = compileTokenScript({ source: 'return token.term.nothing()' })
  for (let at = 0; at < 3; at += 1) expect(reasonOf(() => holds(words(1)))).toMatch(/nothing/)
})

import { expect, test } from 'vitest'
import { waitingLine } from './progress.ts'

function terminal(isTerminal: boolean) {
  const texts: string[] = []
  return { texts, output: { isTerminal, write: (text: string) => void texts.push(text) } }
}

test('a terminal shows what is waited for and for how long, and is clean again before other words', () => {
  const { texts, output } = terminal(true)
  let now = 1_000
  const line = waitingLine(output, () => now)
  now += 2_500
  line.waiting('search starting')
  now += 1
  line.waiting('too soon to be drawn')
  line.clear()
  line.clear()
  expect(texts).toEqual(['\r\x1b[K    2.5 s search starting', '\r\x1b[K'])
  line.begin()
  line.waiting('dashboard starting')
  expect(texts.at(-1)).toBe('\r\x1b[K    0.0 s dashboard starting')
})

test('where nobody watches nothing is drawn', () => {
  const { texts, output } = terminal(false)
  const line = waitingLine(output)
  line.waiting('search starting')
  line.clear()
  expect(texts).toEqual([])
})

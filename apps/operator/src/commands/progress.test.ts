import { expect, test } from 'vitest'
import { stepReporter, waitingLine } from './progress.ts'

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

test('on a narrow terminal what changes is one line, cut off; what stays is whole', () => {
  const { texts, output } = terminal(true)
  const narrow = { ...output, columns: 24 }
  waitingLine(narrow, () => 0).waiting('podman ps: exit code 125:\n  database is locked')
  expect(texts.splice(0)).toEqual(['\r\x1b[K    0.0 s podman ps: e…'])
  const step = { name: 'start', title: 'start the five parts' }
  const reporter = stepReporter(narrow, () => 1_000)
  reporter.begin(step, 3, 12).waiting('search starting')
  reporter.end(step, { changed: true, elapsedMs: 2_000 })
  expect(texts).toEqual([
    '\r\x1b[K[ 3/12] start the five…',
    '\r\x1b[K[ 3/12] start the five…',
    `\r\x1b[K${'[ 3/12] start the five parts'.padEnd(44)} done 2.0 s\n`,
  ])
  for (const text of texts.slice(0, 2)) expect(text.length - '\r\x1b[K'.length).toBeLessThan(24)
})

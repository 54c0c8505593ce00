import { expect, it } from 'vitest'
import { createLogger } from './logger.ts'
import { standardOutput } from './standard-output.ts'

function failing(code: string): never {
  throw Object.assign(new Error(code), { code })
}

it('writes whole lines, also when the system takes them in pieces or asks to wait', () => {
  let text = ''
  let calls = 0
  const logger = createLogger(
    'x',
    'info',
    standardOutput((bytes) => {
      if (calls++ % 3 === 1) failing('EAGAIN')
      const piece = bytes.subarray(0, 10)
      text += Buffer.from(piece).toString('latin1')
      return piece.length
    }),
  )
  logger.info('one')
  logger.info('two')
  expect(
    text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).msg),
  ).toEqual(['one', 'two'])
})

it('gives up for good on a reader that went away', () => {
  let calls = 0
  const output = standardOutput(() => {
    calls++
    return failing('EPIPE')
  })
  output.write('a\n')
  output.write('b\n')
  expect(calls).toBe(1)
})

it('drops a line that nobody reads in time, and goes on with the next', () => {
  let isStuck = true
  let text = ''
  const output = standardOutput((bytes) => {
    if (isStuck) failing('EAGAIN')
    text += Buffer.from(bytes).toString()
    return bytes.length
  })
  output.write('lost\n')
  isStuck = false
  output.write('kept\n')
  expect(text).toBe('kept\n')
})

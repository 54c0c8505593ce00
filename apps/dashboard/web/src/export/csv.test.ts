import { expect, test } from 'vitest'
import { csvOf } from './csv.ts'

test('values are quoted where they must be', () => {
  expect(
    csvOf(
      ['a', 'b,c'],
      [
        ['say "hi"', 1.5],
        ['two\nlines', null],
      ],
    ),
  ).toBe('a,"b,c"\r\n"say ""hi""",1.5\r\n"two\nlines",\r\n')
})

test('a text that a spreadsheet would run is a text, a negative number stays one', () => {
  expect(csvOf(['x'], [['=HYPERLINK("http://x")'], ['@SUM(A1)'], [-3]])).toBe(
    'x\r\n"\'=HYPERLINK(""http://x"")"\r\n\'@SUM(A1)\r\n-3\r\n',
  )
})

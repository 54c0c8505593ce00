import { expect, test } from 'vitest'
import { circles } from './rooms.ts'

test('tells of folders that use each other, through others too, and of no others', () => {
  const oneWay = ['a/src/low/x.ts', []] as const
  expect(circles([['a/src/high/y.ts', ['a/src/low/x.ts']], oneWay])).toEqual([])
  expect(
    circles([
      ['a/src/one/x.ts', ['a/src/two/y.ts', 'a/src/four/z.ts']],
      ['a/src/two/y.ts', ['a/src/three/z.ts']],
      ['a/src/three/z.ts', ['a/src/one/deep/x.ts']],
    ]),
  ).toEqual([
    'a/src: one → two: a/src/one/x.ts imports a/src/two/y.ts',
    'a/src: two → three: a/src/two/y.ts imports a/src/three/z.ts',
    'a/src: three → one: a/src/three/z.ts imports a/src/one/deep/x.ts',
  ])
})

test('what lies in the folder around them may use them and be used', () => {
  expect(
    circles([
      ['a/src/start.ts', ['a/src/one/x.ts']],
      ['a/src/one/x.ts', ['a/src/services.ts', 'a/src/one/y.ts']],
    ]),
  ).toEqual([])
})

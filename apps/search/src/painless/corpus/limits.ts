import { fails, type PlainCase, refused } from './case.ts'

const loopReason = 'The maximum number of statements that can be executed in a loop has been reached.'

/** What ends scripts that would run on or hold too much. */
export const limits: readonly PlainCase[] = [
  ['int i = 0; while (i >= 0) { i = 0 }', fails('painless_error', loopReason, 11)],
  ['for (int i = 0; i < 1; i = 0) { }', fails('painless_error', loopReason)],
  ['int i = 0; do { } while (i == 0)', fails('painless_error', loopReason)],
  ['try { int i = 0; while (i == 0) { } } catch (Exception e) { }', fails('painless_error', loopReason)],
  // A million steps of it take as long as a script may on a machine that is busy.
  ['def l = [1]; for (def x : l) { for (int i = 0; i < 2000000; i++) { } }', fails('painless_error')],
  ['def l = []; for (int i = 0; i < 100; i++) { l.add(new int[100000]) }', fails('painless_error', loopReason)],
  ['def f(int n) { return f(n + 1) } return f(0)', fails('stack_overflow_error')],
  ["String s = 'aaaaaaaaaa'; for (int i = 0; i < 40; i++) { s += s } return s", fails('painless_error')],
  [
    'def a = [1]; for (int i = 0; i < 60; i++) { a = [a, a] } return a.toString()',
    fails('index_out_of_bounds_exception'),
  ],
  ['IntStream.range(0, 2000000).sum()', fails('index_out_of_bounds_exception')],
  [
    `return ${'('.repeat(20_000)}1${')'.repeat(20_000)}`,
    refused(
      'the script or its values are nested too deeply: Maximum call stack size exceeded',
      0,
      'stack_overflow_error',
    ),
  ],
  ['int s = 0; for (int i = 0; i < 100000; i++) { s += i } return s', '704982704'],
]

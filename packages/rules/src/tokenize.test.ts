import { expect, it } from 'vitest'
import { tokenize } from './tokenize.ts'

it.each<[text: string, tokens: string[]]>([
  ['An account failed to log on.', ['an', 'account', 'failed', 'to', 'log', 'on']],
  ['10.0.0.1:443 is example.com', ['10.0.0.1', '443', 'is', 'example.com']],
  ['1,000.5; 7;8', ['1,000.5', '7;8']],
  ["don't l’eau col·lega", ["don't", 'l’eau', 'col·lega']],
  ['user_77 _x_ a-b c/d', ['user_77', '_x_', 'a', 'b', 'c', 'd']],
  ['C:\\Windows\\System32\\cmd.exe', ['c', 'windows', 'system32', 'cmd.exe']],
  ['GRÖSSE «Größe» — “ŁÓDŹ”…', ['grösse', 'größe', 'łódź']],
  ['クラス・名前、日本語。', ['クラス', '名前', '日本語']],
  ['नमस्ते। שָׁלוֹם، مرحبا؟', ['नमस्ते', 'שָׁלוֹם', 'مرحبا']],
  ['ok ✅ done 🙂🙂 €5 ½ x²', ['ok', 'done', '5', 'x']],
  ['a\u00a0b\u2003c\u200bd\ufeffe\u0000f', ['a', 'b', 'c', 'd', 'e', 'f']],
  ['', []],
])('cuts %j', (text, tokens) => {
  expect(tokenize(text)).toEqual(tokens)
})

it('takes every letter and decimal digit of the world as part of a word', () => {
  const letters: string[] = []
  for (let point = 0; point < 0x30000; point += 1) {
    const character = point >= 0xd800 && point < 0xe000 ? ' ' : String.fromCodePoint(point)
    if (/[\p{L}\p{Nd}]/u.test(character)) letters.push(character)
  }
  const lost = letters.filter((letter) => tokenize(letter).length !== 1)
  expect(lost).toEqual([])
})

import { AppError } from '@logstack/errors'
import { describe, expect, it } from 'vitest'
import { compileScript } from './script.ts'

const run = (source: string) => compileScript({ source, lang: 'painless', params: {} })({})

describe('patterns of scripts', () => {
  it.each([
    ["return 'user=root' =~ /us.r/", true],
    ["return 'user=root' ==~ /us.r/", false],
    ["return 'ab' ==~ /a.?/ && !('x' =~ /y/)", true],
    ["return 'ROOT' =~ /root/i", true],
    ["def m = /user=(\\w+)/.matcher('user=root'); return m.find() ? m.group(1) : null", 'root'],
    [
      "Pattern p = /(?<key>\\w+)=(?<value>\\w+)/; Matcher m = p.matcher('a=1 b=2'); def l = []; while (m.find()) { l.add(m.group('key') + m.namedGroup('value')) } return l",
      ['a1', 'b2'],
    ],
    ["return /\\s*,\\s*/.split('a , b,c,,')", ['a', 'b', 'c']],
    ["return /,/.split('a,b,c', 2)", ['a', 'b,c']],
    ["return 'a1b22'.replaceAll(/\\d+/, m -> '<' + m.group() + '>')", 'a<1>b<22>'],
    ["return 'a1b22'.replaceFirst(/(\\d)/, '[$1]')", 'a[1]b22'],
    ["return ['ab', 'c'].stream().filter(t -> t =~ /b/).toList()", ['ab']],
    ['return 8 / 2 / 2', 2],
    ['int a = 8; int b = 4; return a / b', 2],
    ["return [1, 2].size() / 2 + 'x'.length() / 1", 2],
  ])('%s', (source, expected) => {
    expect(run(source)).toEqual(expected)
  })

  it.each([
    ["return 'a' =~ /(/", 'illegal_argument_exception'],
    ["return 'a' =~ /a/q", 'illegal_argument_exception'],
    ["/a/.matcher('a').group()", 'illegal_state_exception'],
    ["def m = /a/.matcher('a'); m.find(); return m.group(3)", 'index_out_of_bounds_exception'],
    ["return 'a' =~ 'a'", 'illegal_argument_exception'],
    [
      "def t = 'a'; for (int i = 0; i < 20; i++) { t = t.concat(t) } for (int i = 0; i < 100000; i++) { t =~ /(a*)*b/ }",
      'painless_error',
    ],
  ])('ends with its fault: %s', (source, code) => {
    let thrown: unknown
    try {
      run(source)
    } catch (error) {
      thrown = error
    }
    expect(thrown).toBeInstanceOf(AppError)
    expect((thrown as AppError).cause).toMatchObject({ code })
  })
})

import { describe, expect, it } from 'vitest'
import { javaPattern, onigurumaPattern } from './java-pattern.ts'

const fault = (reason: string): Error => new Error(reason)

describe('patterns of Java and Oniguruma', () => {
  it.each([
    ['[a-z*+]+', 'a+b*c', 'a+b*c'],
    ['[!#$%&*+]+', '#a*+', '#'],
    ['[*+?}]+', 'a}?+*', '}?+*'],
    ['[[:alpha:]_]+', '1ab_c2', 'ab_c'],
    ['[^[:space:]]+', ' ab ', 'ab'],
    ['a*+b', 'aab', 'aab'],
    ['(?>a+)b', 'aab', 'aab'],
    [String.raw`a\-b`, 'a-b', 'a-b'],
    [String.raw`[a\-z]+`, 'm-a', '-a'],
    [String.raw`[\]a]+`, 'b]a', ']a'],
    [String.raw`\[[^\]]*\]`, 'x[a*+]', '[a*+]'],
  ])('%s finds in %s: %s', (pattern, text, found) => {
    expect(onigurumaPattern(pattern, fault).exec(text)?.[0]).toBe(found)
    expect(javaPattern(pattern, fault).exec(text)?.[0]).toBe(found)
  })

  it('takes the name of a class for one only where there is such a class', () => {
    expect(onigurumaPattern('[[:constructor:]a]', fault).test('a')).toBe(true)
    expect(onigurumaPattern('[[:constructor:]a]', fault).test('n')).toBe(false)
  })
})

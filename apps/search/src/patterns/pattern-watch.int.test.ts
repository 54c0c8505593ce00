import { describe, expect, it } from 'vitest'
import { watchPattern, watchPatterns } from './pattern-watch.ts'

// In a process of its own: in that of unit tests other modules may have told V8 to go on with another engine (`linear-pattern.ts`).
describe('a watched pattern', () => {
  it('answers as the pattern itself', () => {
    const pattern = /(?<key>\w+)=(?<value>(?:[^,"]|"[^"]*")*)/
    const exec = (text: string) => watchPattern(pattern)(text, () => pattern.exec(text))
    expect(exec('a="b,c",d')?.groups).toEqual({ key: 'a', value: '"b,c"' })
    expect(exec(`no pair ${'x'.repeat(5000)}`)).toBeNull()
    const separators = /(?:\s|,)+/g
    expect(watchPattern(separators)('a , b,c', () => 'a , b,c'.replace(separators, '-'))).toBe('a-b-c')
  })

  it.each([
    ['repetitions in repetitions', /^(a+)+$/, `${'a'.repeat(50)}b`],
    ['alternatives that overlap', /^(?:a|aa)+$/, `${'a'.repeat(80)}b`],
    ['many repetitions of a long text', /^a*a*a*a*a*a*a*a*$/, `${'a'.repeat(3000)}b`],
    ['alternatives one after the other', new RegExp(`^${'(?:a|aa)'.repeat(40)}$`, 'u'), `${'a'.repeat(60)}b`],
    ['what stands behind an empty class', new RegExp(['[]', '(a+)+$|^(?:b+)+$'].join('')), `${'b'.repeat(50)}c`],
    ['a group behind a class', /^(?:[\]a]*x?)*$/, `${'a'.repeat(60)}b`],
  ])('ends what would not end: %s', (_, pattern, text) => {
    expect(() => watchPattern(pattern)(text, () => pattern.exec(text))).toThrow(
      'pattern matching was interrupted before completion',
    )
    // And the next one works.
    expect(watchPattern(pattern)('', () => 'next')).toBe('next')
  })
})

it('leaves a pattern that was ended less time for the next text', () => {
  const pattern = /^(a+)+$/
  const watch = watchPattern(pattern)
  const endless = `${'a'.repeat(60)}b`
  for (const allowed of ['1000ms', '500ms', '250ms'])
    expect(() => watch(endless, () => pattern.test(endless))).toThrow(`longer than [${allowed}]`)
})

it('gives patterns that are tried together that time in all', () => {
  const patterns = [/^(a+)+$/, /^x/]
  const watch = watchPatterns(patterns)
  const some = (text: string) => watch(text, () => patterns.findIndex((pattern) => pattern.test(text)))
  expect(some(`x${'y'.repeat(60)}`)).toBe(1)
  expect(() => some(`${'a'.repeat(60)}b`)).toThrow('longer than [1000ms]')
})

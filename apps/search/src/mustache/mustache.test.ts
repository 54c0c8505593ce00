import { describe, expect, it } from 'vitest'
import { parseTemplate, TemplateFault } from './parse-template.ts'
import { renderTemplate, TemplateTooLong } from './render-template.ts'

const render = (template: string, params: Record<string, unknown>) => renderTemplate(parseTemplate(template), params)

describe('values', () => {
  it('are put in as parts of JSON texts, or as they are', () => {
    expect(render('"{{a}}" {{{a}}} {{&a}}', { a: 'x"\ny' })).toBe('"x\\"\\ny" x"\ny x"\ny')
    expect(render('{{a.b}} {{list.1}} {{list.size}} [{{nothing}}] {{! said }}', { a: { b: 1 }, list: [2, 3] })).toBe(
      '1 3 2 [] ',
    )
  })
})

describe('sections', () => {
  it('are there when something is, once for each of a list', () => {
    expect(render('{{#on}}yes{{/on}}{{^on}}no{{/on}}', { on: true })).toBe('yes')
    expect(render('{{#on}}yes{{/on}}{{^on}}no{{/on}}', {})).toBe('no')
    expect(render('{{#list}}<{{.}}{{more}}>{{/list}}', { list: [1, 2], more: '!' })).toBe('<1!><2!>')
    expect(render('{{#who}}{{name}}{{/who}}', { who: { name: 'x' }, name: 'y' })).toBe('x')
  })

  it('may be functions', () => {
    expect(render('{{#toJson}}a{{/toJson}}', { a: [{ b: 'c' }] })).toBe('[{"b":"c"}]')
    expect(render("{{#join}}a{{/join}} {{#join delimiter='||'}}a{{/join delimiter='||'}}", { a: [1, 2] })).toBe(
      '1,2 1||2',
    )
    expect(render('{{#url}}{{#join}}a{{/join}}/x{{/url}}', { a: ['<b>', 'c'] })).toBe('%3Cb%3E%2Cc%2Fx')
  })
})

describe('what cannot be read', () => {
  it('is named', () => {
    expect(() => render('{"a": "{{{my_value}}"}', {})).toThrow(
      'Improperly closed variable: my_value in query-template:1',
    )
    expect(() => render('{{#a}}x', {})).toThrow("Failed to close 'a' tag")
    expect(() => render('{{#a}}x{{/b}}', {})).toThrow('Mismatched start/end tags')
  })
})

describe('a template that has no end', () => {
  const nested = (depth: number, inner: string) => '{{#a}}'.repeat(depth) + inner + '{{/a}}'.repeat(depth)

  it('may have sections in each other, but not without end', () => {
    expect(render(nested(100, 'x'), { a: true })).toBe('x')
    expect(() => parseTemplate(nested(20_000, 'x'))).toThrow(TemplateFault)
  })

  it.each([
    ['lists in lists', nested(8, 'text'), { a: Array(50).fill(1) }],
    ['a long value again and again', '{{a}}'.repeat(20), { a: 'x'.repeat(100_000) }],
    ['a large value as JSON', '{{#toJson}}a{{/toJson}}', { a: Array(600_000).fill(1) }],
    ['a long text between values', `{{#join delimiter='${'-'.repeat(1_000)}'}}a{{/join}}`, { a: Array(2_000).fill(1) }],
  ])('becomes no longer than a template may: %s', (_name, template, params) => {
    expect(() => render(template, params)).toThrow(TemplateTooLong)
  })

  it.each([
    ['sections without a text', nested(8, ''), { a: Array(50).fill(1) }],
    ['names of many steps', nested(3, `{{${'b.'.repeat(1_000)}b}}`), { a: Array(50).fill({ c: 1 }) }],
  ])('takes no more steps than a template may: %s', (_name, template, params) => {
    expect(() => render(template, params)).toThrow('A template may take at most [1000000] steps to be filled')
  })
})

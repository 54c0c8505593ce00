import { expect, it } from 'vitest'
import { readHighlight } from '../../dsl/highlight-request.ts'
import { fragmentsOf } from './highlight-fragments.ts'

/** The fragments of a text around every place of a word, as a field that is asked for so has them. */
function around(text: string, word: string, options: object): string[] {
  const spans = [...text.matchAll(new RegExp(word, 'gu'))].map(({ index }) => ({
    from: index,
    to: index + word.length,
  }))
  const [asked] = readHighlight({ fields: { t: options } })
  if (!asked) throw new Error('no field')
  return fragmentsOf(text, spans, asked)
}
const long = { fragment_size: 60 }
const tail = ' and so it went on for a long while, longer than any fragment is'

// The text before the first bound, as an Elasticsearch 8.19 cut it.
it.each([
  ['Login failed. 10.0.0.1 was root', 'Login failed. 10.0.0.1 was <em>root</em>'],
  ['Login failed. by root', 'Login failed. by <em>root</em>'],
  ['Login failed. By root', 'By <em>root</em>'],
  ['Login failed. [sshd] by root', '[sshd] by <em>root</em>'],
  ['Login failed! by root', 'by <em>root</em>'],
  ['Login failed\nby root', 'Login failed\nby <em>root</em>'],
  ['Login failed.\n\nby root', 'by <em>root</em>'],
])('begins sentences where Java does: %j', (text, begins) => {
  const [first] = around(`${text}${tail}`, 'root', long)
  expect(first?.startsWith(begins)).toBe(true)
})

it('cuts no word in two, also one with a hyphen', () => {
  const text = 'warning warning administrator e-mail warning root warning e-mail again and again and again and again'
  expect(around(text, 'root', { fragment_size: 22 })).toEqual(['administrator e-mail warning <em>root</em>'])
  expect(around(text, 'root', { fragment_size: 35 })[0]).toMatch(
    /^warning administrator e-mail warning <em>root<\/em>/u,
  )
  expect(around('root is e-mail again, and again, and again', 'root', { fragment_size: 9 })).toEqual([
    '<em>root</em> is e-mail',
  ])
})

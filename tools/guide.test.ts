import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const root = fileURLToPath(new URL('..', import.meta.url))
const textsIn = (folder: string, end: string): [name: string, text: string][] =>
  readdirSync(join(root, folder))
    .filter((name) => name.endsWith(end))
    .map((name) => [name, readFileSync(join(root, folder, name), 'utf8')])

const pages = textsIn('docs/operator', '.md')
const suites = textsIn('e2e/host', '.e2e.ts').map(([, text]) => text)

test('each page of the operator’s guide is in its contents', () => {
  const contents = pages.find(([name]) => name === 'README.md')?.[1] ?? ''
  const missing = pages.map(([name]) => name).filter((name) => name !== 'README.md' && !contents.includes(`(${name})`))
  expect(missing).toEqual([])
})

test('each command block of the operator’s guide is run by a host suite', () => {
  const blocks = pages.flatMap(([name, text]) =>
    [...text.matchAll(/^```sh(?: (\w+))?$/gm)].map(([, kind]) => `${name} ${kind ?? 'plain'}`),
  )
  const isRun = (block: string): boolean => {
    const [name = '', kind] = block.split(' ')
    const call = new RegExp(`[gG]uide\\('${name}'(?:, \\w+)?${kind === 'plain' ? '' : `, '${kind}'`}\\)`)
    return suites.some((text) => call.test(text))
  }
  expect(blocks.length).toBeGreaterThan(20)
  expect([...new Set(blocks)].filter((block) => !isRun(block))).toEqual([])
})

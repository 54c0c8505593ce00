import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { tempDir } from '@logstack/testkit'
import { expect, test } from 'vitest'
import { WebAssets } from './assets.ts'

test('files are kept from the start, in the best encoding, and nothing else is found', () => {
  const folder = tempDir('dashboard-assets')
  mkdirSync(join(folder.path, 'assets'))
  writeFileSync(join(folder.path, 'index.html'), '<base href="/" />')
  for (const suffix of ['', '.br', '.gz']) writeFileSync(join(folder.path, `assets/a-1.js${suffix}`), `js${suffix}`)
  const assets = new WebAssets(folder.path)
  rmSync(folder.path, { recursive: true })
  expect(assets.present).toBe(true)
  expect(assets.find('assets/a-1.js', 'gzip, deflate, br')).toMatchObject({ encoding: 'br', immutable: true })
  expect(assets.find('assets/a-1.js', 'gzip')?.bytes.toString()).toBe('js.gz')
  expect(assets.find('assets/a-1.js', '')?.bytes.toString()).toBe('js')
  expect(assets.find('../secrets', '')).toBeUndefined()
  expect([assets.page('/'), assets.page('/app/discover'), assets.page('/app/dashboards/x')]).toEqual([
    '<base href="./" />',
    '<base href="../" />',
    '<base href="../../" />',
  ])
  expect(new WebAssets(join(folder.path, 'never')).present).toBe(false)
})

test('a page names the programs it is made of, but for those it names already', () => {
  const folder = tempDir('dashboard-assets')
  writeFileSync(join(folder.path, 'index.html'), '<base href="/" /><script src="./assets/main.js"></script></head>')
  const discover = ['assets/page.js', 'assets/main.js', 'assets/page.css']
  writeFileSync(join(folder.path, 'preload.json'), JSON.stringify({ discover, health: ['assets/health.js'] }))
  const assets = new WebAssets(folder.path)
  folder.remove()
  const linked = (path: string) => [...assets.page(path).matchAll(/<link rel="(\w+)" crossorigin href="([^"]+)">/g)]
  const program = ['modulepreload', './assets/page.js']
  for (const path of ['/', '/app', '/app/discover', '/anything'])
    expect(linked(path).map(([, ...link]) => link)).toEqual([program, ['stylesheet', './assets/page.css']])
  expect(linked('/app/health/parts').map(([, ...link]) => link)).toEqual([['modulepreload', './assets/health.js']])
  expect(linked('/app/rules')).toEqual([])
})

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build } from 'esbuild'
import { expect, it } from 'vitest'
import { asciiText } from './ascii-text.mjs'

it('writes a program with letters of ASCII only, which does what its source says', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'logstack-ascii-'))
  try {
    const source = join(folder, 'source.js')
    const outfile = join(folder, 'deeper', 'program.mjs')
    writeFileSync(
      source,
      "/*! Größe “kept” */ export const found = ['ůčş’', '😀', 'é'].map((text) => text.replace(/[’😀]|ů(č)|é/gu, '<$1>'))",
    )
    await build({ entryPoints: [source], outfile, format: 'esm', plugins: [asciiText], logLevel: 'silent' })
    expect(readFileSync(outfile, 'utf8')).toMatch(/^[\0-\x7f]+$/)
    expect((await import(outfile)).found).toEqual(['<č>ş<>', '<>', '<>'])
    writeFileSync(source, 'export const raw = String.raw`ů`')
    const refused = build({ entryPoints: [source], outfile, format: 'esm', plugins: [asciiText], logLevel: 'silent' })
    await expect(refused).rejects.toThrow('String.raw')
  } finally {
    rmSync(folder, { recursive: true })
  }
})

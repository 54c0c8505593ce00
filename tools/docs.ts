import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { generatedDocs } from './docs/generated-docs.ts'

// `npm run docs` writes every generated page; `npm run docs -- --check` only says which are not up to date (exit code 1).
const check = process.argv.includes('--check')
for (const { path, render } of generatedDocs) {
  const file = join(process.cwd(), path)
  const text = await render()
  if (readOr(file, '') === text) continue
  if (check) {
    console.error(`${path} is not up to date: npm run docs`)
    process.exitCode = 1
    continue
  }
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
  console.log(`wrote ${path}`)
}

function readOr(file: string, absent: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code === 'ENOENT') return absent
    throw thrown
  }
}

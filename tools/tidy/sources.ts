import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The root of the checkout, with a final slash. */
export const root = fileURLToPath(new URL('../..', import.meta.url))

/** Every file that git tracks or would track, as paths from the root. */
export function listFiles(): string[] {
  const output = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  })
  return [...new Set(output.split('\0'))].filter((file) => file !== '' && existsSync(join(root, file))).sort()
}

/** The text of a file of the checkout. */
export function readText(file: string): string {
  return readFileSync(join(root, file), 'utf8')
}

/** The size of a file of the checkout in bytes. */
export function sizeBytes(file: string): number {
  return statSync(join(root, file)).size
}

/** Whether a file is TypeScript of ours. */
export function isTypeScript(file: string): boolean {
  return /\.tsx?$/.test(file) && !file.endsWith('.d.ts')
}

/** Whether a file is a test or serves tests only. */
export function isTest(file: string): boolean {
  return (
    /\.(test|prop\.test|int\.test|suite|e2e)\.tsx?$/.test(file) || /^(e2e|conformance|packages\/testkit)\//.test(file)
  )
}

/** Whether a file is a test, or something that only tests use. */
export function servesTests(file: string): boolean {
  return isTest(file) || /\.(testing|fixture|fake|child)\.tsx?$/.test(file) || file.split('/').includes('testing')
}

/** The workspace a file is in (`apps/search`, `packages/errors`), or undefined. */
export function workspaceOf(file: string): string | undefined {
  return /^(apps|packages)\/[^/]+/.exec(file)?.[0]
}

// Sources are formatted by Biome, so a module name stands on a line that begins with import, export or the closing brace of a list.
const staticImport = /^(?:(?:import|export|\}) .*)?(?<=^| )(?:from|import) '([^']+)'/gm
const dynamicImport = /\bimport\('([^']+)'\)/g

/** The module names a file imports, statically or dynamically. */
export function importsOf(text: string): string[] {
  return [...text.matchAll(staticImport), ...text.matchAll(dynamicImport)].map((match) => match[1] ?? '')
}

/** Where a relative import of `file` leads, as a path from the root. */
export function resolveImport(file: string, specifier: string): string {
  return join(dirname(file), specifier)
}

/** Files grouped by their folder. */
export function byFolder(files: readonly string[]): Map<string, string[]> {
  const folders = new Map<string, string[]>()
  for (const file of files) {
    const folder = dirname(file)
    folders.set(folder, [...(folders.get(folder) ?? []), file])
  }
  return folders
}

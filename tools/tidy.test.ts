import { readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { generatedDocs } from './docs/generated-docs.ts'
import { missingOptional } from './lock/platform-packages.ts'
import { unregistered } from './tidy/registries.ts'
import { circles } from './tidy/rooms.ts'
import { settingsFiles, settingsProblems } from './tidy/settings-files.ts'
import {
  byFolder,
  importsOf,
  isTest,
  isTypeScript,
  listFiles,
  readText,
  resolveImport,
  root,
  servesTests,
  sizeBytes,
  workspaceOf,
} from './tidy/sources.ts'
import { bannedNames, bannedText } from './tidy/words.ts'

// Style as a test. Length of files and functions, focused tests, import cycles and the like are Biome's (`biome.json`); here is what it
// cannot see. A rule has no list of exceptions.

const blobBytesMax = 256 * 1024
const folderSourcesMax = 5
/** Lines of prose; what belongs in a table is not crammed into a sentence to save lines. */
const readmeLinesMax = 15

const linesOfProse = (text: string): number =>
  text.split('\n').filter((line) => line.trim() !== '' && !line.startsWith('|')).length

const files = listFiles()
const sources = files.filter(isTypeScript)
const text = new Map(sources.map((file) => [file, readText(file)]))
const imports = new Map(sources.map((file) => [file, importsOf(text.get(file) ?? '')]))

describe('names and words', () => {
  test('no file or folder has a name that says nothing', () => {
    const bad = files.flatMap((file) =>
      bannedNames
        .filter(({ pattern }) => file.split('/').some((piece) => pattern.test(piece)))
        .map(({ instead }) => `${file}: ${instead}`),
    )
    expect(bad).toEqual([])
  })

  test('no source holds an escape hatch or a note to oneself', () => {
    const scripts = files.filter((file) => /\.(ts|tsx|mjs|js|sh|css)$/.test(file))
    const bad = scripts.flatMap((file) =>
      readText(file)
        .split('\n')
        .flatMap((line, at) =>
          bannedText
            .filter(({ pattern }) => pattern.test(line))
            .map(({ instead }) => `${file}:${at + 1}: ${line.trim().slice(0, 80)} → ${instead}`),
        ),
    )
    expect(bad).toEqual([])
  })
})

test('search makes regular expressions of texts in one place, which bounds them', () => {
  const bad = sources.filter(
    (file) =>
      /^(?:apps\/search|packages\/(?:rules|kql|eql|esql))\/src\//.test(file) &&
      !isTest(file) &&
      file !== 'packages/rules/src/bounded-regexp.ts' &&
      /(?<!bounded)RegExp\(/.test(text.get(file) ?? ''),
  )
  expect(bad).toEqual([])
})

describe('package edges', () => {
  const importers = (name: string): string[] =>
    sources.filter((file) => !isTest(file) && imports.get(file)?.some((s) => s === name || s.startsWith(`${name}/`)))

  test('chdb is imported by one file', () => {
    expect(importers('chdb').length, importers('chdb').join(', ')).toBeLessThanOrEqual(1)
  })

  test.each(['execa', '@peculiar/x509'])('%s is imported by one package', (name) => {
    expect(new Set(importers(name).map(workspaceOf)).size, importers(name).join(', ')).toBeLessThanOrEqual(1)
  })

  test('packages import no app and apps no other app', () => {
    const appNames = new Map(
      files
        .filter((file) => /^apps\/[^/]+\/package\.json$/.test(file))
        .map((file) => [String(JSON.parse(readText(file)).name), dirname(file)]),
    )
    const bad: string[] = []
    for (const [file, names] of imports) {
      const home = workspaceOf(file)
      if (!home) continue
      for (const name of names) {
        const path = name.startsWith('.') ? resolveImport(file, name) : undefined
        const target = path ? (workspaceOf(path) ?? /^(tools|bench|e2e)\//.exec(path)?.[1]) : appNames.get(name)
        if (target !== undefined && target !== home) bad.push(`${file} imports ${name}`)
      }
    }
    expect(bad).toEqual([])
  })

  test('contracts depends on zod alone', () => {
    expect(Object.keys(JSON.parse(readText('packages/contracts/package.json')).dependencies)).toEqual(['zod'])
  })

  test('every dependency is pinned', () => {
    const bad = files
      .filter((file) => basename(file) === 'package.json')
      .flatMap((file) => {
        const { dependencies = {}, devDependencies = {} } = JSON.parse(readText(file))
        return Object.entries({ ...dependencies, ...devDependencies })
          .filter(([, version]) => !/^(npm:@?[\w/.-]+@)?\d+\.\d+\.\d+(-[\w.]+)?$/.test(String(version)))
          .map(([name, version]) => `${file}: ${name} ${version}`)
      })
    expect(bad).toEqual([])
  })
})

test('the lock file has the packages of all platforms, or `npm ci` refuses it: npm run lock', () => {
  expect(missingOptional(JSON.parse(readText('package-lock.json'))).map(({ name }) => name)).toEqual([])
})

describe('folders', () => {
  const folders = byFolder(files)

  test(`a folder of more than ${folderSourcesMax} sources has a short README.md`, () => {
    const bad: string[] = []
    for (const [folder, members] of folders) {
      const count = members.filter((file) => /\.(tsx?|mjs)$/.test(file) && !isTest(file)).length
      if (count <= folderSourcesMax) continue
      const readme = join(folder, 'README.md')
      if (!members.includes(readme)) bad.push(`${folder}: ${count} sources and no README.md`)
      else if (linesOfProse(readText(readme)) > readmeLinesMax)
        bad.push(`${readme}: over ${readmeLinesMax} lines beside tables`)
    }
    expect(bad).toEqual([])
  })

  test('folders beside each other use each other one way', () => {
    const targets = [...imports]
      .filter(([file]) => !servesTests(file))
      .map(
        ([file, names]) =>
          [file, names.filter((name) => name.startsWith('.')).map((name) => resolveImport(file, name))] as const,
      )
    expect(circles(targets)).toEqual([])
  })

  test('every feature file is in the registry of its folder', () => {
    const bad: string[] = []
    const imported = new Set(
      [...imports].flatMap(([file, names]) => (isTest(file) ? [] : names.map((name) => resolveImport(file, name)))),
    )
    for (const folder of folders.keys()) {
      const missing = unregistered(folder, files, imported)
      if (missing === 'no registry') bad.push(`${folder}: no registry.ts`)
      else if (missing) bad.push(...missing.map((file) => `${file}: not in the registry`))
    }
    expect(bad).toEqual([])
  })

  test('no file is larger than 256 KiB but the lock file', () => {
    const bad = files.filter((file) => file !== 'package-lock.json' && sizeBytes(file) > blobBytesMax)
    expect(bad).toEqual([])
  })
})

describe('documents', () => {
  test('a markdown file has one first-level heading', () => {
    const bad = files
      .filter((file) => file.endsWith('.md'))
      .map((file) => [
        file,
        readText(file)
          .replace(/^```[\s\S]*?^```/gm, '')
          .match(/^# /gm)?.length ?? 0,
      ])
      .filter(([, count]) => count !== 1)
    expect(bad).toEqual([])
  })

  test.each(generatedDocs)('$path is what `npm run docs` writes', async ({ path, render }) => {
    expect(readFileSync(join(root, path), 'utf8') === (await render()), `${path} is not up to date: npm run docs`).toBe(
      true,
    )
  })
})

describe('settings', () => {
  test('config/<part>.yml explains every setting of the part, and no other', async () => {
    const problems = (await settingsFiles(files)).flatMap(settingsProblems)
    expect(problems).toEqual([])
  })
})

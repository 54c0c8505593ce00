import { readFileSync } from 'node:fs'
import { AppError, platformErrors } from '@logstack/errors'
import { meantHint } from '@logstack/spelling'
import { isMap, isScalar, LineCounter, parseDocument } from 'yaml'
import type { SettingsDefinition, SettingTable, SettingValues } from './define-settings.ts'

/** A value as found, and where: `search.yml:12` or the name of an environment variable. */
interface Found {
  readonly value: unknown
  readonly source: string
}

/** The environment variable that overrides a key: `http.port` of search is `LOGSTACK_SEARCH_HTTP_PORT`. */
export function environmentName(part: string, key: string): string {
  return `LOGSTACK_${part}_${key}`.toUpperCase().replace(/[^A-Z0-9]/g, '_')
}

/** Reads a settings text; nested and dotted keys mean the same. Every problem is named with its line. */
export function readSettingsText(definition: SettingsDefinition, text: string, fileName: string): Map<string, Found> {
  const lines = new LineCounter()
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false, uniqueKeys: true })
  const broken = document.errors[0]
  if (broken) throw invalid(`${fileName}:${lines.linePos(broken.pos[0]).line}: ${broken.message}`)
  const found = new Map<string, Found>()
  const walk = (node: unknown, prefix: string): void => {
    if (!isMap(node)) throw invalid(`${fileName}: expected "key: value" lines${prefix ? ` under ${prefix}` : ''}`)
    for (const pair of node.items) {
      const key = prefix + String(isScalar(pair.key) ? pair.key.value : pair.key)
      const offset = isScalar(pair.key) ? pair.key.range?.[0] : undefined
      const source = `${fileName}:${offset === undefined ? '?' : lines.linePos(offset).line}`
      if (key in definition.table) {
        const value = nodeValue(pair.value)
        found.set(key, { value, source })
      } else if (isMap(pair.value)) walk(pair.value, `${key}.`)
      else
        throw invalid(
          `${source}: unknown setting [${key}] of ${definition.part}${meantHint(key, Object.keys(definition.table))}`,
        )
    }
  }
  if (document.contents !== null) walk(document.contents, '')
  return found
}

/** Loads, in rising priority: defaults, the YAML file (absent is fine), environment variables. Throws `settings_invalid` with file, line and key. */
export function loadSettings<T extends SettingTable>(
  definition: SettingsDefinition<T>,
  from: { file?: string | undefined; env?: NodeJS.ProcessEnv },
): SettingValues<T> {
  const found = from.file ? readSettingsText(definition, readIfThere(from.file), from.file) : new Map<string, Found>()
  for (const key of Object.keys(definition.table)) {
    const name = environmentName(definition.part, key)
    const text = from.env?.[name]
    if (text !== undefined) found.set(key, { value: fromEnvironment(text), source: name })
  }
  const values: Record<string, unknown> = {}
  for (const [key, entry] of Object.entries(definition.table)) {
    const given = found.get(key)
    if (!given) {
      values[key] = entry.default
      continue
    }
    const parsed = entry.schema.safeParse(given.value)
    if (!parsed.success) {
      throw invalid(
        `${given.source}: setting [${key}] is ${JSON.stringify(given.value)}: ${parsed.error.issues[0]?.message ?? 'not allowed'}`,
      )
    }
    values[key] = parsed.data
  }
  return values as SettingValues<T>
}

function nodeValue(node: unknown): unknown {
  return isScalar(node) ? node.value : (node as { toJSON?: () => unknown } | null)?.toJSON?.()
}

function readIfThere(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code === 'ENOENT') return ''
    throw new AppError(platformErrors.settings_invalid, `cannot read ${file}`, {
      cause: thrown,
      fix: `make ${file} readable`,
    })
  }
}

function fromEnvironment(text: string): unknown {
  if (text === 'true' || text === 'false') return text === 'true'
  return text !== '' && /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : text
}

function invalid(message: string): AppError {
  return new AppError(platformErrors.settings_invalid, message, {
    fix: 'mend the file, then check it with: ./logstack config check',
  })
}

import { AppError, operatorErrors } from '@logstack/errors'
import type { ContainerDefinition } from './container.ts'
import { splitWords } from './words.ts'

/** The memory settings of a definition as they stand in it; undefined where it has none. */
interface MemorySettings {
  /** The value of `ES_JAVA_OPTS`. */
  readonly javaOptions: string | undefined
  /** The value of podman's `--memory`. */
  readonly limit: string | undefined
}

const bytesOf: Readonly<Record<string, number>> = { b: 1, k: 1024, m: 1024 ** 2, g: 1024 ** 3, t: 1024 ** 4 }

/** Bytes of a size as podman and Java write it (`8gb`, `8g`, `512m`); undefined when it is none. */
export function parseSize(text: string): number | undefined {
  const [, amount, unit = 'b'] = /^(\d+)\s*([bkmgt])?b?$/i.exec(text.trim()) ?? []
  return amount === undefined ? undefined : Number(amount) * (bytesOf[unit.toLowerCase()] ?? 1)
}

/** A size in the words of the interface: `8gb`, `1536mb`. */
export function renderSize(bytes: number): string {
  const unit = ['t', 'g', 'm', 'k'].find((name) => bytes > 0 && bytes % (bytesOf[name] ?? 1) === 0)
  return unit ? `${bytes / (bytesOf[unit] ?? 1)}${unit}b` : `${bytes}b`
}

/** What a definition, drop-ins included, says about memory. */
export function memoryOf(definition: ContainerDefinition): MemorySettings {
  return { javaOptions: definition.environment['ES_JAVA_OPTS'], limit: limitOf(definition.podmanArgs) }
}

function limitOf(words: readonly string[]): string | undefined {
  let found: string | undefined
  for (const [at, word] of words.entries()) {
    if (word === '--memory' || word === '-m') found = words[at + 1]
    else if (word.startsWith('--memory=')) found = word.slice('--memory='.length)
  }
  return found
}

const heapLine = /^\s*Environment=\s*"?ES_JAVA_OPTS=/
const isHeap = (word: string): boolean => /^-Xm[xs]/i.test(word)
const shownHeapLine = /^#\s*Environment="?ES_JAVA_OPTS=/

/**
 * A definition's text with the heap set to `size` (Java's: `4g`), or back to the default without one. Other Java options stay; the line is
 * written quoted, as quadlet drops the second word of an unquoted one.
 */
export function withHeap(text: string, size: string | undefined): string {
  const lines = text.split('\n')
  const others = lines
    .filter((line) => heapLine.test(line))
    .flatMap((line) => (splitWords(line.slice(line.indexOf('=') + 1)) ?? []).flatMap((word) => word.split(/\s+/)))
    .map((word) => word.replace(/^ES_JAVA_OPTS=/, ''))
    .filter((word) => word !== '' && !isHeap(word))
  const options = [...(size === undefined ? [] : [`-Xms${size}`, `-Xmx${size}`]), ...others]
  const at = lines.findIndex((line) => heapLine.test(line) || shownHeapLine.test(line))
  const place = at < 0 ? endOfContainer(lines) : at
  const kept = lines.map((line) => (heapLine.test(line) ? undefined : line))
  const written = options.length === 0 ? undefined : `Environment="ES_JAVA_OPTS=${options.join(' ')}"`
  const shown = `#Environment="ES_JAVA_OPTS=-Xms4g -Xmx4g"`
  if (at < 0) kept.splice(place, 0, written)
  else kept[place] = written ?? shown
  return kept.filter((line) => line !== undefined).join('\n')
}

/**
 * The text of a drop-in that sets the heap of the definition `base` to `size`, or back to the default without one; undefined where the
 * definition says so by itself. Other Java options of the definition stay: a drop-in's value takes the place of the whole.
 */
export function heapDropIn(
  size: string | undefined,
  { javaOptions }: Pick<MemorySettings, 'javaOptions'>,
): string | undefined {
  const words = (javaOptions ?? '').split(/\s+/).filter((word) => word !== '')
  const others = words.filter((word) => !isHeap(word))
  if (size === undefined && others.length === words.length) return undefined
  const options = [...(size === undefined ? [] : [`-Xms${size}`, `-Xmx${size}`]), ...others]
  return `# Written by logstack memory set.\n[Container]\nEnvironment="ES_JAVA_OPTS=${options.join(' ')}"\n`
}

/** A definition's text with podman's `--memory` set to `size`, or without it. */
export function withLimit(text: string, size: string | undefined): string {
  const lines = text.split('\n')
  const at = lines.findIndex((line) => /^\s*PodmanArgs=/.test(line))
  const kept = lines.map((line) => (/^\s*PodmanArgs=/.test(line) ? withoutLimit(line) : line))
  const added = size === undefined ? [] : [`--memory ${size}`]
  if (at < 0) kept.splice(endOfContainer(lines), 0, ...added.map((words) => `PodmanArgs=${words}`))
  else kept[at] = `PodmanArgs=${[...added, (kept[at] ?? '').replace(/^\s*PodmanArgs=\s*/, '')].join(' ').trim()}`
  return kept.filter((line) => line !== 'PodmanArgs=').join('\n')
}

function withoutLimit(line: string): string {
  return line.replace(/\s*(?:--memory[ =]\s*|-m\s+)\S+/, '').replace(/=\s+/, '=')
}

/** The index behind the last line of `[Container]` that says something. */
function endOfContainer(lines: readonly string[]): number {
  const start = lines.findIndex((line) => line.trim() === '[Container]')
  if (start < 0) {
    throw new AppError(operatorErrors.definition_invalid, 'the definition has no section [Container]', {
      fix: './logstack config check',
    })
  }
  const next = lines.findIndex((line, index) => index > start && /^\s*\[/.test(line))
  let end = next < 0 ? lines.length : next
  while (end > start + 1 && (lines[end - 1] ?? '').trim() === '') end--
  return end
}

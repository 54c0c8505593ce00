import { changeSourceText, type SourceChoice, shownSource } from '../dsl/source-choice.ts'
import type { IndexMeta } from '../model/index-meta.ts'
import { showsSources } from '../model/kept-source.ts'
import type { Scope } from '../model/scope.ts'

/** What a caller sees of a source: the request's choice, without the fields hidden from it; nothing of an index that shows no sources. */
export function visibleSource(
  scope: Scope,
  index: IndexMeta,
  source: Buffer,
  choice: SourceChoice,
): Buffer | undefined {
  return showsSources(index) ? permittedSource(scope, index, source, choice) : undefined
}

/** What of a source may be computed with for a caller, shown or not. */
export function permittedSource(
  scope: Scope,
  index: IndexMeta,
  source: Buffer,
  choice: SourceChoice,
): Buffer | undefined {
  const shown = shownSource(source, choice)
  if (shown === undefined || !(scope.limitsFields?.(index.name) ?? false)) return shown
  const sees = (path: string): boolean => scope.canSeeField(index.name, path)
  return Buffer.from(changeSourceText(shown.toString('utf8'), (parsed) => withoutHidden(parsed, '', sees)))
}

type Fields = Readonly<Record<string, unknown>>

function withoutHidden(source: Fields, prefix: string, sees: (path: string) => boolean): Record<string, unknown> {
  const kept: Record<string, unknown> = {}
  for (const [key, value] of Object.entries(source)) {
    const left = shownValue(value, prefix + key, sees)
    if (left !== undefined) kept[key] = left
  }
  return kept
}

/** What is left of a value; undefined when it is hidden. Objects in lists have the paths of objects without. */
function shownValue(value: unknown, path: string, sees: (path: string) => boolean): unknown {
  if (Array.isArray(value)) {
    const left = value.map((item) => shownValue(item, path, sees)).filter((item) => item !== undefined)
    return left.length > 0 || (value.length === 0 && sees(path)) ? left : undefined
  }
  if (typeof value !== 'object' || value === null) return sees(path) ? value : undefined
  const inner = withoutHidden(value as Fields, `${path}.`, sees)
  return Object.keys(inner).length > 0 ? inner : undefined
}

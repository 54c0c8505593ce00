import { changeSourceText, type SourceChoice, shownSource } from '../dsl/source-choice.ts'
import type { IndexMeta } from '../indices/model.ts'
import type { Scope } from './scope.ts'

/** What a caller sees of a source: the request's choice, without the fields hidden from it. */
export function visibleSource(
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

function withoutHidden(source: Readonly<Record<string, unknown>>, prefix: string, sees: (path: string) => boolean) {
  const kept: Record<string, unknown> = {}
  for (const [key, value] of Object.entries(source)) {
    const path = prefix + key
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
      const inner = withoutHidden(value as Readonly<Record<string, unknown>>, `${path}.`, sees)
      if (Object.keys(inner).length > 0) kept[key] = inner
    } else if (sees(path)) kept[key] = value
  }
  return kept
}

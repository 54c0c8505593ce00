import { AppError, searchErrors } from '@logstack/errors'
import { parseSource, writeSource } from '../../json/source-json.ts'
import { keepingSource } from '../../painless/document-context.ts'
import type { Script } from '../../painless/script.ts'
import type { MatchingDocument } from './matching-documents.ts'

/** What a script makes of a document. */
export interface Scripted {
  readonly op: 'index' | 'noop' | 'delete'
  readonly source: Buffer
  readonly ctx: Readonly<Record<string, unknown>>
}

const metadata = ['_index', '_id', '_version', '_routing', '_now'] as const

/**
 * Runs a script over a document as by-query requests do. `moveTo`: the destination of `_reindex`, where a script may set `_index`, `_id`, `_version` and
 * `_routing`. Throws `illegal_argument_exception` for other changes and unknown operations.
 */
export function runScript(script: Script, document: MatchingDocument, nowMs: number, moveTo?: string): Scripted {
  const before = {
    _index: moveTo ?? document.index.name,
    _id: document.id,
    _version: document.version,
    _routing: document.routing === '' ? null : document.routing,
    _now: nowMs,
  }
  const ctx: Record<string, unknown> = { op: 'index', _source: parseSource(document.source), ...before }
  script(keepingSource(ctx))
  const extra = Object.keys(ctx).find(
    (key) => key !== 'op' && key !== '_source' && !metadata.some((name) => name === key),
  )
  if (extra !== undefined) throw invalid(`Invalid fields added to context [${extra}]`)
  const moved = moveTo !== undefined ? undefined : metadata.find((name) => ctx[name] !== before[name])
  if (moved !== undefined) throw invalid(`Modifying [${moved}] not allowed`)
  const op = ctx['op'] === 'none' ? 'noop' : ctx['op']
  if (op !== 'index' && op !== 'noop' && op !== 'delete') {
    throw invalid(`Operation type [${String(ctx['op'])}] not allowed, only [noop, index, delete] are allowed`)
  }
  return { op, source: writeSource(ctx['_source'] as Record<string, unknown>), ctx }
}

function invalid(reason: string): AppError {
  return new AppError(searchErrors.illegal_argument_exception, reason)
}

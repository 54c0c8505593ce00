import type { CatalogEntry } from './catalog/entry.ts'
import type { ErrorKind } from './kinds.ts'

/** The parts of an error that vary at the place where it is thrown. */
export interface ErrorContext {
  /** Values that help a caller and hold no secret; rendered to clients. */
  readonly detail?: Readonly<Record<string, unknown>>
  /** What led to this error. */
  readonly cause?: unknown
  /** What the reader can do about it, as a sentence or a command; every operator error has one. */
  readonly fix?: string
}

/** The one error class of the house: a stable code from the catalogue, a closed kind, a message for people. Rendered only at an edge. */
export class AppError extends Error {
  readonly code: string
  readonly kind: ErrorKind
  readonly detail: Readonly<Record<string, unknown>>
  readonly fix: string | undefined

  constructor(entry: CatalogEntry, message: string, context: ErrorContext = {}) {
    super(message, context.cause === undefined ? undefined : { cause: context.cause })
    this.name = 'AppError'
    this.code = entry.code
    this.kind = entry.kind
    this.detail = context.detail ?? {}
    this.fix = context.fix
  }
}

/** Narrows an unknown thrown value to an `AppError`. */
export function isAppError(value: unknown): value is AppError {
  return value instanceof AppError
}

/** The message of anything that was thrown; never throws itself. */
export function messageOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown)
}

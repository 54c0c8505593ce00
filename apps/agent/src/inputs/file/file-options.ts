import type { PolicyStream } from '@logstack/contracts'
import { AppError, agentsErrors } from '@logstack/errors'
import { linearPattern } from '@logstack/rules/linear-pattern'
import { z } from 'zod'
import { encodingNames, encodingOf, type LineEncoding } from './encoding.ts'
import type { MultilineRule } from './multiline.ts'

const kibibyte = 1024
const testedCharactersMax = 4096

const optionsSchema = z.object({
  encoding: z.enum(encodingNames).default('utf-8'),
  line_bytes_max: z
    .number()
    .int()
    .min(16)
    .max(16 * kibibyte * kibibyte)
    .default(128 * kibibyte),
  line_pieces_max: z.number().int().min(1).max(10_000).default(64),
  journal_copies: z.enum(['skip', 'read']).optional(),
  include_lines: z.array(z.string()).default([]),
  exclude_lines: z.array(z.string()).default([]),
  multiline: z
    .strictObject({
      pattern: z.string(),
      negate: z.boolean().default(false),
      what: z.enum(['previous', 'next']).default('previous'),
      lines_max: z.number().int().min(2).max(10_000).default(500),
      bytes_max: z
        .number()
        .int()
        .min(kibibyte)
        .max(1024 * kibibyte)
        .default(256 * kibibyte),
      wait_ms: z.number().int().min(100).max(60_000).default(2_000),
    })
    .optional(),
})

/** How the files of a stream are read. */
export interface FileOptions {
  readonly encoding: LineEncoding
  readonly lineBytesMax: number
  readonly linePiecesMax: number
  /** Whether files that hold what is in the journal are read; those that are named without a wildcard when absent. */
  readonly journalCopies: 'skip' | 'read' | undefined
  readonly multiline: MultilineRule | undefined
  /** Whether an event is kept: it fits one of `include_lines`, if there are any, and none of `exclude_lines`. */
  readonly isWanted: (text: string) => boolean
}

/** Reads a stream's options; throws `agent_policy_invalid` with the one that is wrong. */
export function readFileOptions(stream: PolicyStream): FileOptions {
  const parsed = optionsSchema.safeParse(stream)
  if (!parsed.success) {
    const [issue] = parsed.error.issues
    throw invalid(`${issue?.path.join('.')}: ${issue?.message}`)
  }
  const { encoding, line_bytes_max, line_pieces_max, journal_copies, include_lines, exclude_lines, multiline } =
    parsed.data
  const found = encodingOf(encoding)
  const include = include_lines.map((source) => patternOf('include_lines', source))
  const exclude = exclude_lines.map((source) => patternOf('exclude_lines', source))
  return {
    encoding: found,
    // A character is never cut in halves.
    lineBytesMax: line_bytes_max - (line_bytes_max % found.unit),
    linePiecesMax: line_pieces_max,
    journalCopies: journal_copies,
    multiline: multiline && ruleOf(multiline),
    isWanted: (text) =>
      (include.length === 0 || include.some((fits) => fits(text))) && !exclude.some((fits) => fits(text)),
  }
}

function ruleOf(from: NonNullable<z.infer<typeof optionsSchema>['multiline']>): MultilineRule {
  const fits = patternOf('multiline.pattern', from.pattern)
  return {
    belongs: (text) => fits(text) !== from.negate,
    what: from.what,
    linesMax: from.lines_max,
    bytesMax: from.bytes_max,
    waitMs: from.wait_ms,
  }
}

function patternOf(key: string, source: string): (text: string) => boolean {
  const pattern = linearPattern(source)
  if (pattern === undefined) throw invalid(`${key}: [${source}] is no regular expression of bounded time`)
  return (text) => pattern.test(text.length > testedCharactersMax ? text.slice(0, testedCharactersMax) : text)
}

function invalid(message: string): AppError {
  return new AppError(agentsErrors.agent_policy_invalid, message, {
    fix: 'correct the policy: PUT /api/fleet/agent_policies/ID',
  })
}

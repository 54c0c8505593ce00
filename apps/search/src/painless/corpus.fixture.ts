import { AppError } from '@logstack/errors'
import { expect } from 'vitest'
import type { Fault } from './corpus/case.ts'

/** What a script gave, or the error it ended with. */
export function outcomeOf(work: () => unknown): unknown {
  try {
    return work()
  } catch (thrown) {
    if (thrown instanceof AppError) return thrown
    throw thrown
  }
}

/** Whether what is expected is a fault. */
export function isFault(expected: unknown): expected is Fault {
  return typeof expected === 'object' && expected !== null && 'stage' in expected
}

/** Checks the `script_exception` of a fault: its stage, cause, place and the piece of the script it shows. */
export function expectFault(found: unknown, { stage, type, reason, at }: Fault, source: string): void {
  if (!(found instanceof AppError)) throw new Error(`no fault, but ${JSON.stringify(found)}`)
  expect(found).toMatchObject({ code: 'script_exception', message: `${stage} error` })
  expect(found.cause).toMatchObject({ code: type, ...(reason === undefined ? {} : { message: reason }) })
  const {
    script_stack: stack,
    script,
    lang,
    position,
  } = found.detail as {
    script_stack: readonly [string, string]
    script: string
    lang: string
    position: { offset: number; start: number; end: number }
  }
  expect({ script, lang }).toEqual({ script: source, lang: 'painless' })
  if (at !== undefined) expect(position.offset).toBe(at)
  const { offset, start, end } = position
  expect([start, end]).toEqual([Math.max(0, offset - 25), Math.min(source.length, offset + 25)])
  const [piece, mark] = stack
  expect(piece).toBe(`${start > 0 ? '... ' : ''}${source.slice(start, end)}${end < source.length ? ' ...' : ''}`)
  expect(mark).toBe(`${' '.repeat(offset - start + (start > 0 ? 4 : 0))}^---- HERE`)
}

/** Cases with the name of their script, for `each`: its own lists take no elements that may be missing. */
export function named<C extends readonly [string, ...unknown[]]>(cases: readonly C[]): { script: string; given: C }[] {
  return cases.map((given) => ({ script: given[0], given }))
}

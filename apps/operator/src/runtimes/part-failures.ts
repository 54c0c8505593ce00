import { parts as allParts, type PartName } from '@logstack/contracts'
import { AppError, isAppError, operatorErrors } from '@logstack/errors'

/** Which parts each part needs before it starts. */
const neededBy: Readonly<Record<PartName, readonly PartName[]>> = {
  search: [],
  'endpoint-manager': ['search'],
  dashboard: ['search'],
  alerter: ['search'],
  'agent-server': ['search', 'dashboard'],
}

/** The parts that did not start in one piece of work, which goes on with what does not need them. */
export class PartFailures {
  readonly #down = new Set<PartName>()
  readonly #errors: AppError[] = []

  /** Keeps an error that tells which parts did not start; every other one is thrown on. */
  keep(thrown: unknown): void {
    const failed = failedParts(thrown)
    if (!isAppError(thrown) || failed.length === 0) throw thrown
    this.#errors.push(thrown)
    for (const part of failed) this.#down.add(part)
  }

  /** What keeps from work that needs these parts: the first of them that is down, or that another which is down keeps from starting. */
  lackOf(needs: readonly PartName[]): PartName | undefined {
    const lacks = needs.map((part) => (this.#down.has(part) ? part : neededBy[part].find((one) => this.#down.has(one))))
    return lacks.find((lack) => lack !== undefined)
  }

  /** `part_failed` about all of them, if there are any. */
  throwAny(): void {
    if (this.#errors.length > 0) throw partsFailed(this.#errors)
  }
}

/** One error about all the parts that did not start; at least one. */
export function partsFailed(errors: readonly AppError[]): AppError {
  const [first] = errors
  if (first && errors.length === 1) return first
  return new AppError(operatorErrors.part_failed, errors.map(({ message }) => message).join('; '), {
    detail: { parts: errors.flatMap(failedParts) },
    fix: 'find out why, and mend it, with: ./logstack doctor',
  })
}

function failedParts(thrown: unknown): readonly PartName[] {
  if (!isAppError(thrown) || thrown.code !== operatorErrors.part_failed.code) return []
  const told = thrown.detail['parts']
  return Array.isArray(told) ? allParts.filter((part) => told.includes(part)) : []
}

import { AppError, searchErrors } from '@logstack/errors'
import { aliasTarget, checkConditions, isDue, measure, rolledOverAtMs, streamTarget } from '../../rollover.ts'
import { defineAction } from './define-action.ts'

const nothing = { ageMs: 0, documents: 0, bytes: 0 }
const minimumOfDocuments = { min_docs: 1 }

/** `rollover`: a new write index for the alias or data stream when a condition is met; an index without documents waits. */
export const rollover = defineAction({
  name: 'rollover',
  step: 'check-rollover-ready',
  check(options) {
    const conditions = checkConditions(options, nothing)
    if (conditions.some(({ minimum }) => !minimum)) return
    const reason = 'At least one max_* rollover condition must be set.'
    throw new AppError(searchErrors.illegal_argument_exception, reason)
  },
  async run(index, options, context) {
    if (index.settings['lifecycle.indexing_complete'] === 'true') return 'done'
    if (rolledOverAtMs(index, context) !== undefined) return 'done'
    const target = targetOf(index.name, index.dataStream, index.settings['lifecycle.rollover_alias'], context)
    const given = Object.keys(options).some((name) => name.startsWith('min_'))
      ? options
      : { ...minimumOfDocuments, ...options }
    if (!isDue(checkConditions(given, await measure(index, context))))
      return { waits: 'the conditions of the rollover are not met' }
    await target.roll()
    return 'done'
  },
})

function targetOf(
  name: string,
  dataStream: string | undefined,
  alias: string | undefined,
  context: Parameters<typeof aliasTarget>[1],
): NonNullable<ReturnType<typeof streamTarget>> {
  const stream = dataStream === undefined ? undefined : streamTarget(dataStream, context)
  if (stream) return stream
  if (!alias) {
    const reason = `setting [index.lifecycle.rollover_alias] for index [${name}] is empty or not defined`
    throw new AppError(searchErrors.illegal_argument_exception, reason)
  }
  const index = context.catalogue.index(name)
  if (index === undefined || !Object.hasOwn(index.aliases, alias)) {
    const reason = `index.lifecycle.rollover_alias [${alias}] does not point to index [${name}]`
    throw new AppError(searchErrors.illegal_argument_exception, reason)
  }
  const target = aliasTarget(alias, context)
  if (target.before.name === name) return target
  const reason = `index [${name}] is not the write index for alias [${alias}]`
  throw new AppError(searchErrors.illegal_argument_exception, reason)
}

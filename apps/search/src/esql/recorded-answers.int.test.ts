import { fileURLToPath } from 'node:url'
import { beforeAll, describe, expect, it } from 'vitest'
import { searchOverWire } from '../testing/search-over-wire.ts'
import { type Ask, askQuery, makeIndices, recordedFiles } from './recorded.fixture.ts'
import { differenceOf, sameWarnings } from './same-answer.fixture.ts'

const send = searchOverWire()
const ask: Ask = async (path, request) => {
  const headers = { 'content-type': 'application/json' }
  const answer = await send(path, { ...request, headers })
  const { warning } = answer.headers
  return { status: answer.status, warning: typeof warning === 'string' ? warning : undefined, text: answer.text }
}

const folder = fileURLToPath(new URL('recorded', import.meta.url))

describe.each(recordedFiles(folder))('answers of Elasticsearch: %s', (_name, file) => {
  beforeAll(() => makeIndices(ask, file))

  it('are ours, but for those that are known to differ', async () => {
    const unlike: string[] = []
    for (const recorded of file.cases) {
      const answer = await askQuery(ask, recorded)
      const difference = differenceOf(recorded, answer)
      if (difference !== undefined && recorded.differs === undefined) unlike.push(`${recorded.query}: ${difference}`)
      if (difference === undefined && recorded.differs !== undefined)
        unlike.push(`${recorded.query}: does not differ any more (${recorded.differs})`)
      // What answers otherwise warns otherwise.
      if (recorded.differs !== undefined) continue
      const isSame = sameWarnings(recorded, answer)
      if (!isSame && recorded.warningsDiffer === undefined)
        unlike.push(
          `${recorded.query}: expected warnings ${recorded.warnings?.join('\n')}, found ${answer.warnings?.join('\n')}`,
        )
      if (isSame && recorded.warningsDiffer !== undefined)
        unlike.push(`${recorded.query}: warnings do not differ any more (${recorded.warningsDiffer})`)
    }
    expect(unlike).toEqual([])
  })
})

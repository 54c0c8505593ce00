import { answerOf } from './answer-of.ts'
import { openTestServices, type TestServices } from './search-services.ts'

/** Test services whose searches can be asked, and what they ask of the engine be seen. */
export interface NotedSearch {
  readonly services: TestServices
  /** The statements since the last search began. */
  statements(): readonly string[]
  /** The parsed answer of a search, without what earlier ones read; `query` is the parameters of its path as they are read. */
  ask<Answer>(expression: string, body: unknown, query?: Record<string, unknown>): Promise<Answer>
}

/** Opens them; the caller closes the services. */
export async function openNotedSearch(now: () => number): Promise<NotedSearch> {
  const opened = await openTestServices(now)
  const { engine } = opened
  let statements: string[] = []
  const services: TestServices = {
    ...opened,
    engine: {
      ...engine,
      rows: (query, options) => {
        statements.push(query.text)
        return engine.rows(query, options)
      },
      bytes: (query, format, options) => {
        statements.push(query.text)
        return engine.bytes(query, format, options)
      },
    },
  }
  return {
    services,
    statements: () => statements,
    async ask<Answer>(expression: string, body: unknown, query?: Record<string, unknown>) {
      statements = []
      return answerOf<Answer>(services, expression, body, query && { query })
    },
  }
}

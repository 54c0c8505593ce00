import { isAppError } from '@logstack/errors'
import { Names } from '../painless/frame.ts'
import { HostObject } from '../painless/host-object.ts'
import { compileReturning, readScript } from '../painless/script.ts'
import { inOneTime } from '../painless/script-run.ts'
import type { Token } from '../tokens/token.ts'

/** A word as the scripts of token filters see it. */
class TokenValue extends HostObject {
  override readonly className = 'org.elasticsearch.analysis.common.AnalysisPredicateScript$Token'
  readonly #token: Token
  readonly #increment: number

  constructor(token: Token, increment: number) {
    super()
    this.#token = token
    this.#increment = increment
  }

  override member(name: string, at: number): unknown {
    return name === 'keyword' ? this.#token.keyword === true : super.member(name, at)
  }

  override method(name: string): (() => unknown) | undefined {
    const { text, position, positionLength = 1, start, end, type, keyword = false } = this.#token
    const values: Readonly<Record<string, unknown>> = {
      getTerm: text,
      getPosition: position,
      getPositionIncrement: this.#increment,
      getPositionLength: positionLength,
      getStartOffset: start,
      getEndOffset: end,
      getType: type,
      isKeyword: keyword,
    }
    return Object.hasOwn(values, name) ? () => values[name] : undefined
  }

  override text(): string {
    return this.#token.text
  }
}

/** Milliseconds of the processor that a script may run for over the words of one text, which are gone through without a turn for others. */
const textMs = { most: 1_000, least: 50 } as const

/** Whether a script was ended for what it took. */
function isEnded(thrown: unknown): boolean {
  return isAppError(thrown) && isAppError(thrown.cause) && thrown.cause.code === 'painless_error'
}

/** Compiles the `script` of a token filter: for each word of a text whether it holds of it. Throws as `compileScript` does. */
export function compileTokenScript(script: unknown): (tokens: readonly Token[]) => boolean[] {
  const { source, params } = readScript(script, () => undefined)
  const names = new Names()
  const slots = { token: names.declare('token', 'def', 0).slot, params: names.declare('params', 'def', 0).slot }
  const run = compileReturning(source, names)
  const holds = (token: Token, at: number, tokens: readonly Token[]): boolean => {
    const memory: unknown[] = []
    memory[slots.token] = new TokenValue(token, token.position - (tokens[at - 1]?.position ?? -1))
    memory[slots.params] = params
    return run(memory) === true
  }
  let allowedMs: number = textMs.most
  return (tokens) => {
    try {
      const held = inOneTime(() => tokens.map(holds), allowedMs)
      allowedMs = Math.min(textMs.most, allowedMs * 2)
      return held
    } catch (thrown) {
      // It has less time for the next text: each of thousands of documents would take all that one may.
      if (isEnded(thrown)) allowedMs = Math.max(textMs.least, allowedMs / 2)
      throw thrown
    }
  }
}

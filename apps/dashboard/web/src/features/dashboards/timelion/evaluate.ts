import { meantName } from '@logstack/spelling'
import type { Surroundings, TimelionFunction } from './functions/define.ts'
import { timelionFunctions } from './functions/index.ts'
import { givenOf, type Value } from './language/given.ts'
import { limits } from './language/limits.ts'
import { parseTimelion } from './language/parse.ts'
import type { Series } from './language/series.ts'
import { type Call, type Expression, placeOf, TimelionError } from './language/tree.ts'

/**
 * Calculates an expression: the series of all its chains, in their order. Searches are asked at once, and then calls are made one after the other. Throws
 * `TimelionError` for what is wrong with the expression, with the place, and what search refuses as it comes.
 */
export async function evaluateTimelion(expression: string, surroundings: Surroundings): Promise<readonly Series[]> {
  const sheet = parseTimelion(expression)
  return new Evaluation(expression, sheet, surroundings).run()
}

class Evaluation {
  readonly #text: string
  readonly #sheet: readonly Expression[]
  readonly #surroundings: Surroundings
  readonly #asked = new Map<Call, Promise<readonly Series[]>>()
  /** What was calculated before: variables and references stand in several places. */
  readonly #known = new Map<Expression, readonly Series[]>()
  readonly #within = new Set<Expression>()
  #points = 0

  constructor(text: string, sheet: readonly Expression[], surroundings: Surroundings) {
    this.#text = text
    this.#sheet = sheet
    this.#surroundings = surroundings
  }

  async run(): Promise<readonly Series[]> {
    const calls = callsOf(this.#sheet)
    for (const call of calls) this.#functionOf(call)
    await this.#askAll(calls.filter((call) => this.#functionOf(call).kind === 'source'))
    return this.#all(this.#sheet)
  }

  /** Makes the series of all data sources, side by side. */
  async #askAll(calls: readonly Call[]): Promise<void> {
    const searches = new Set(calls.filter((call) => this.#functionOf(call).name === 'es').map(({ text }) => text))
    if (searches.size > limits.searches)
      throw new TimelionError(`The expression asks ${searches.size} searches: at most ${limits.searches} are asked`)
    for (const call of calls) this.#asked.set(call, this.#source(call))
    await Promise.all(this.#asked.values())
  }

  async #source(call: Call): Promise<readonly Series[]> {
    const found = this.#functionOf(call)
    const values = call.arguments.map(({ value }): Value => {
      if (value.kind === 'literal') return value.value
      throw this.#placed(new TimelionError(`.${call.name}() is a data source: its arguments are no series`), call)
    })
    return this.#checked(call, async () => {
      const given = givenOf(call, found.parameters, values, found.takesOthers)
      return found.kind === 'source' ? found.run(given, this.#surroundings) : []
    })
  }

  async #all(expressions: readonly Expression[]): Promise<readonly Series[]> {
    const found: Series[] = []
    for (const one of expressions) found.push(...(await this.#seriesOf(one)))
    if (found.length > limits.series)
      throw new TimelionError(`The expression makes more than ${limits.series} series: so many are not drawn`)
    return found
  }

  async #seriesOf(one: Expression): Promise<readonly Series[]> {
    const known = this.#known.get(one)
    if (known) return known
    if (one.kind === 'literal') throw new TimelionError(`Expected series\n${placeOf(this.#text, one.at)}`)
    const at = one.kind === 'reference' ? one.at : (one.calls[0]?.at ?? 0)
    if (this.#within.has(one)) throw new TimelionError(`This refers to itself\n${placeOf(this.#text, at)}`)
    if (this.#within.size > limits.depth)
      throw new TimelionError(`References are more than ${limits.depth} levels deep\n${placeOf(this.#text, at)}`)
    this.#within.add(one)
    const found = one.kind === 'reference' ? await this.#referred(one) : await this.#chain(one)
    this.#within.delete(one)
    this.#known.set(one, found)
    return found
  }

  #referred({ sheet, chain, at }: Extract<Expression, { kind: 'reference' }>): Promise<readonly Series[]> {
    const place = placeOf(this.#text, at)
    if (sheet !== 1) throw new TimelionError(`A panel is the first sheet alone: there is no @${sheet}\n${place}`)
    if (chain === undefined) return this.#all(this.#sheet)
    const target = this.#sheet[chain - 1]
    if (!target) throw new TimelionError(`There are ${this.#sheet.length} chains: there is no @1:${chain}\n${place}`)
    return this.#seriesOf(target)
  }

  async #chain({ group, calls }: Extract<Expression, { kind: 'chain' }>): Promise<readonly Series[]> {
    let series = group && (await this.#all(group))
    for (const call of calls) series = await this.#called(call, series)
    return series ?? []
  }

  async #called(call: Call, before: readonly Series[] | undefined): Promise<readonly Series[]> {
    const found = this.#functionOf(call)
    if (found.kind === 'source') {
      if (before === undefined) return this.#asked.get(call) ?? []
      throw this.#placed(new TimelionError(`.${call.name}() is a data source: a comma is missing before it`), call)
    }
    if (before === undefined)
      throw this.#placed(
        new TimelionError(`.${call.name}() has no series before it: a data source such as .es() is missing`),
        call,
      )
    const values: Value[] = []
    for (const { value } of call.arguments)
      values.push(value.kind === 'literal' ? value.value : await this.#seriesOf(value))
    return this.#checked(call, async () =>
      found.run(before, givenOf(call, found.parameters, values, found.takesOthers), this.#surroundings),
    )
  }

  /** What a call makes, as long as it is not too much; what is wrong with it is told with its place. */
  async #checked(call: Call, make: () => Promise<readonly Series[]>): Promise<readonly Series[]> {
    try {
      const series = await make()
      for (const { points } of series) this.#points += points.length
      if (this.#points > limits.points)
        throw new TimelionError(`More than ${limits.points} points would be calculated, which takes too long`)
      return series
    } catch (thrown) {
      throw thrown instanceof TimelionError ? this.#placed(thrown, call) : thrown
    }
  }

  #functionOf(call: Call): TimelionFunction {
    const found = timelionFunctions.get(call.name)
    if (found) return found
    throw this.#placed(new TimelionError(`There is no function .${call.name}()${meant(call.name)}`), call)
  }

  #placed(error: TimelionError, call: Call): TimelionError {
    return new TimelionError(`${error.message}\n${placeOf(this.#text, call.at)}`)
  }
}

/** All calls of an expression, each once. */
function callsOf(sheet: readonly Expression[]): Call[] {
  const found = new Set<Call>()
  const seen = new Set<Expression>()
  const look = (one: Expression): void => {
    if (one.kind !== 'chain' || seen.has(one)) return
    seen.add(one)
    for (const member of one.group ?? []) look(member)
    for (const call of one.calls) {
      found.add(call)
      for (const { value } of call.arguments) look(value)
    }
  }
  for (const one of sheet) look(one)
  return [...found]
}

/** The name that was probably meant, as a question. */
function meant(name: string): string {
  const known = meantName(name, timelionFunctions.keys())
  return known === undefined ? '' : `: did you mean .${known}()?`
}

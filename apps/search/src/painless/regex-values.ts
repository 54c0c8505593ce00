import { RefusedPattern, type SteadyMatcher, type SteadyPattern, steadyPattern } from '@logstack/rules'
import { HostObject, ownMethod } from './host-object.ts'
import { templateOf } from './replacement-template.ts'
import { ScriptFault } from './script-error.ts'
import { spend } from './script-run.ts'
import { refuseLong } from './text-length.ts'

type Method = (...args: unknown[]) => unknown

/** What stands in the place of a match: a text with `$1`, or a function of the match. */
export type Replacement = string | ((match: MatcherValue) => unknown)

/** A pattern between slashes. Its time grows with the text only, so it knows no back references. */
export class PatternValue extends HostObject {
  override readonly className = 'java.util.regex.Pattern'
  readonly #pattern: SteadyPattern
  readonly #source: string

  /** Throws a `ScriptFault` for what is no pattern. */
  constructor(source: string, flags: string, at: number) {
    super()
    this.#source = source
    try {
      this.#pattern = steadyPattern(source, flags)
    } catch (thrown) {
      if (!(thrown instanceof RefusedPattern)) throw thrown
      throw new ScriptFault(at, `Error compiling regex: ${thrown.message}`)
    }
  }

  override method(name: string): Method | undefined {
    const methods: Readonly<Record<string, Method>> = {
      matcher: (text) => this.matcher(String(text)),
      pattern: () => this.#source,
      toString: () => this.#source,
      split: (text, most) => this.#split(String(text), Number(most ?? 0)),
    }
    return ownMethod(methods, name)
  }

  override text(): string {
    return this.#source
  }

  matcher(text: string): MatcherValue {
    spend(stepsThrough(this.#pattern, text))
    return new MatcherValue(this.#pattern, text)
  }

  /** Pieces as Java's `split` makes them: none empty at the end, and none before a match of nothing at the beginning. */
  #split(text: string, most: number): string[] {
    const pieces: string[] = []
    let from = 0
    spend(stepsThrough(this.#pattern, text))
    const matcher = this.#pattern.matcher(text)
    while ((most <= 0 || pieces.length < most - 1) && foundNext(matcher)) {
      if (matcher.end() === 0) continue
      pieces.push(text.slice(from, matcher.start()))
      from = matcher.end()
    }
    pieces.push(text.slice(from))
    if (most === 0) while (pieces.length > 1 && pieces.at(-1) === '') pieces.pop()
    return pieces
  }
}

/** A pattern on its way through a text. */
export class MatcherValue extends HostObject {
  override readonly className = 'java.util.regex.Matcher'
  readonly #pattern: SteadyPattern
  readonly #matcher: SteadyMatcher
  readonly #text: string

  constructor(pattern: SteadyPattern, text: string) {
    super()
    this.#pattern = pattern
    this.#matcher = pattern.matcher(text)
    this.#text = text
  }

  override method(name: string, at: number): Method | undefined {
    const matcher = this.#matcher
    const methods: Readonly<Record<string, Method>> = {
      matches: () => matcher.matches(),
      lookingAt: () => matcher.lookingAt(),
      find: (from) => matcher.find(from === undefined ? null : Number(from)),
      group: (group) => matcher.group(asGroup(group)),
      namedGroup: (group) => matcher.group(String(group)),
      start: (group) => matcher.start(asGroup(group)),
      end: (group) => matcher.end(asGroup(group)),
      groupCount: () => matcher.groupCount(),
      reset: () => {
        matcher.reset()
        return this
      },
      replaceAll: (replacement) => this.replaced(replacement as Replacement, true),
      replaceFirst: (replacement) => this.replaced(replacement as Replacement, false),
    }
    const called = ownMethod(methods, name)
    return called && ((...args) => faultsOfMatches(at, () => called(...args)))
  }

  override steps(name: string, args: readonly unknown[]): number {
    const goesOn = name === 'find' && args.length === 0
    return goesOn || readings.has(name) ? 0 : stepsThrough(this.#pattern, this.#text)
  }

  override text(): string {
    return this.className
  }

  /** The text with all matches, or the first, replaced. */
  replaced(replacement: Replacement, all: boolean): string {
    const matcher = this.#matcher
    const by = typeof replacement === 'string' ? this.#filled(replacement) : replacement
    matcher.reset()
    let made = ''
    let from = 0
    while (foundNext(matcher)) {
      made += this.#text.slice(from, matcher.start()) + String(by(this))
      refuseLong(made.length)
      from = matcher.end()
      if (!all) break
    }
    return made + this.#text.slice(from)
  }

  /** What a replacement with references to groups makes of each match; it is read when there is one. */
  #filled(replacement: string): () => string {
    let template: ReturnType<typeof templateOf> | undefined
    return () => {
      template ??= templateOf(replacement, this.#matcher.groupCount())
      let made = ''
      for (const piece of template) made += typeof piece === 'string' ? piece : (this.#matcher.group(piece.group) ?? '')
      return made
    }
  }
}

/** Methods that tell of a match and look for none. */
const readings = new Set(['group', 'groupCount', 'namedGroup', 'start', 'end'])

/** Instructions of a pattern, times letters it goes through, for each step they count as. */
const instructionLettersAStep = 128

/** The steps that going through a text counts as: in the worst case each instruction of the pattern looks at each letter. */
function stepsThrough(pattern: SteadyPattern, text: string): number {
  return Math.floor((text.length * pattern.programSize()) / instructionLettersAStep)
}

/** Looks for the next match, which may be as far away as the text is long, again and again. */
function foundNext(matcher: SteadyMatcher): boolean {
  spend(1)
  return matcher.find()
}

/** What the library says of a match that is not there, as Java's faults. */
function faultsOfMatches(at: number, read: () => unknown): unknown {
  try {
    return read()
  } catch (thrown) {
    if (!(thrown instanceof Error) || !thrown.name.startsWith('RE2JS')) throw thrown
    if (/no match/iu.test(thrown.message)) throw new ScriptFault(at, 'No match found', 'illegal_state_exception')
    throw new ScriptFault(at, thrown.message, 'index_out_of_bounds_exception')
  }
}

function asGroup(group: unknown): number | string {
  return typeof group === 'string' ? group : Number(group ?? 0)
}

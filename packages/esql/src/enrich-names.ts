import { syntaxError } from '@logstack/errors'
import type { NamePattern, Place } from './ast.ts'
import type { Parser } from './parse-expression.ts'

/** Where remote clusters would look a policy up; here there is one place. */
const modes: readonly string[] = ['_ANY', '_COORDINATOR', '_REMOTE']

/** The policy that ENRICH names, without the mode before it (`_any:`). Throws `parsing_exception`. */
export function policyName(parser: Parser): { readonly policy: string; readonly place: Place } {
  const token = parser.takeIndexPattern()
  if (token.kind === 'end' || token.kind === 'sign') parser.miss('{QUOTED_STRING, ENRICH_POLICY_NAME}', token)
  if (parser.isSign(',')) parser.tokens.unknownSign(parser.peek().from)
  const colon = token.text.indexOf(':')
  const mode = token.text.slice(0, Math.max(colon, 0))
  if (colon >= 0 && !modes.includes(mode.toUpperCase()))
    throw syntaxError(
      parser.text,
      token.from,
      `Unrecognized value [${mode}], ENRICH policy qualifier needs to be one of [${modes.join(', ')}]`,
    )
  return { policy: token.text.slice(colon + 1), place: { from: token.from, to: token.to } }
}

/** A name of ENRICH, where no pattern may stand. What is wrong is told at `at`, or at the name. Throws `parsing_exception`. */
export function exactName(parser: Parser, at?: number): NamePattern {
  const name = parser.name()
  if (!name.isPattern) return name
  const written = parser.text.slice(name.from, name.to)
  const reason = `Using wildcards [*] in ENRICH WITH projections is not allowed, found [${written}]`
  throw syntaxError(parser.text, at ?? name.from, reason)
}

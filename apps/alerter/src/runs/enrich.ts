import type { Rule } from '../rule-files/rule.ts'
import type { RuleMatch } from '../rule-types/define-rule-type.ts'
import type { RunSurroundings } from './run.ts'

/** The fields that are looked up for a match: top counts and, with `attach_related`, the other events that led to it. */
export async function enrich(
  rule: Rule,
  match: RuleMatch,
  lookUps: Pick<RunSurroundings['lookUps'], 'topCounts' | 'related'>,
): Promise<Record<string, unknown>> {
  const found = rule.topCounts ? await lookUps.topCounts(rule, match) : {}
  if (!rule.attachRelated) return found
  const others = match.marks.filter(({ index, id }) => index !== match.event?.index || id !== match.event.id)
  return { ...found, related_events: await lookUps.related(others) }
}

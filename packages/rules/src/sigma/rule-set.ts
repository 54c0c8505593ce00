import { allOf } from './detection.ts'
import type { LogSource, SigmaCorrelation, SigmaDocument, SigmaFilter, SigmaRule } from './sigma-rule.ts'

/** A document that cannot be used with the others, and why. */
export interface Unusable {
  readonly document: SigmaDocument
  readonly reason: string
}

/** Rules with the filters that apply to them, correlations whose rules are all there, and what cannot be used. */
export interface SigmaRuleSet {
  readonly rules: readonly SigmaRule[]
  readonly correlations: readonly SigmaCorrelation[]
  readonly unusable: readonly Unusable[]
  /** Ids of rules that only feed correlations and raise no alerts of their own. */
  readonly silent: ReadonlySet<string>
}

/** Puts documents of many files together. */
export function assembleRules(documents: readonly SigmaDocument[]): SigmaRuleSet {
  const unusable: Unusable[] = []
  const seen = new Set<string>()
  const unique = documents.filter((document) => {
    if (seen.has(document.id)) unusable.push({ document, reason: `another rule has the id ${document.id}` })
    else return seen.add(document.id)
    return false
  })
  const filters = unique.filter((document) => document.kind === 'filter')
  const rules = unique.filter((document) => document.kind === 'rule').map((rule) => filtered(rule, filters))
  let correlations = unique.filter((document) => document.kind === 'correlation')
  for (const filter of filters) {
    const lost = filter.rules?.find((name) => !rules.some((rule) => isNamed(rule, name)))
    if (lost !== undefined)
      unusable.push({ document: filter, reason: `it names the rule [${lost}], which is not there` })
  }
  // A correlation without one of its rules is none; so are those that build on it.
  for (let isSettled = false; !isSettled; ) {
    const there = [...rules, ...correlations]
    const broken = correlations.flatMap((correlation) => {
      const lost = correlation.rules.find(
        (name) => !there.some((document) => document !== correlation && isNamed(document, name)),
      )
      return lost === undefined
        ? []
        : [{ document: correlation, reason: `it names the rule [${lost}], which is not there` }]
    })
    unusable.push(...broken)
    correlations = correlations.filter((correlation) => !broken.some(({ document }) => document === correlation))
    isSettled = broken.length === 0
  }
  const quiet = correlations.filter(({ generate }) => !generate).flatMap((correlation) => correlation.rules)
  const silent = [...rules, ...correlations].filter((document) => quiet.some((name) => isNamed(document, name)))
  return { rules, correlations, unusable, silent: new Set(silent.map(({ id }) => id)) }
}

function isNamed({ id, name }: { readonly id: string; readonly name: string | undefined }, wanted: string): boolean {
  return id === wanted || name === wanted
}

function filtered(rule: SigmaRule, filters: readonly SigmaFilter[]): SigmaRule {
  const applied = filters.filter((filter) =>
    filter.rules === undefined
      ? isWithin(rule.logSource, filter.logSource)
      : filter.rules.some((name) => isNamed(rule, name)),
  )
  if (applied.length === 0) return rule
  return { ...rule, detection: allOf([rule.detection, ...applied.map(({ detection }) => detection)]) }
}

function isWithin(source: LogSource, wide: LogSource): boolean {
  return (['product', 'category', 'service'] as const).every(
    (part) => wide[part] === undefined || wide[part] === source[part],
  )
}

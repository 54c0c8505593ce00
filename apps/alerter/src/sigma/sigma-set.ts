import type { AlertSeverity } from '@logstack/contracts'
import {
  assembleRules,
  type CorrelationLimits,
  Correlations,
  type SigmaDocument,
  type SigmaHead,
  type SigmaLevel,
  type SigmaMapping,
  SigmaMatcher,
} from '@logstack/rules'
import type { SigmaDefaults } from '../rule-files/channels-file.ts'
import type { AlertingRule } from '../rule-files/rule.ts'

/** A Sigma document that does not run, and why. */
export interface SigmaLeftOut {
  readonly document: SigmaDocument
  readonly reason: string
  /** Of a rule that is whole but for a log source that this stack does not keep: that source. */
  readonly unknownSource?: string
}

/** Sigma rules ready to run together. */
export interface SigmaSet {
  readonly matcher: SigmaMatcher
  /** The rules that raise alerts, by their ids. */
  readonly alerting: ReadonlyMap<string, AlertingRule>
  readonly leftOut: readonly SigmaLeftOut[]
  /** Ids of rules that run for correlations only and raise no alerts of their own. */
  readonly silent: ReadonlySet<string>
  /** The correlations at work, going on from what was saved. */
  correlations(limits: CorrelationLimits, saved: unknown): Correlations
}

const levels: readonly SigmaLevel[] = ['informational', 'low', 'medium', 'high', 'critical']
const severities: Readonly<Record<SigmaLevel, AlertSeverity>> = {
  informational: 'low',
  low: 'low',
  medium: 'medium',
  high: 'high',
  critical: 'critical',
}
const retired = ['deprecated', 'unsupported']

/** Puts Sigma documents together; `isOff` tells rules that people switched off. */
export function sigmaSet(
  documents: readonly SigmaDocument[],
  mappings: readonly SigmaMapping[],
  defaults: SigmaDefaults,
  isOff: (id: string) => boolean = () => false,
): SigmaSet {
  const inUse = documents.filter(({ status }) => !retired.includes(status ?? ''))
  const { rules, correlations, unusable, silent } = assembleRules(inUse)
  // A rule that is switched off raises no alerts but may feed correlations; one that does nothing else is left out.
  const matcher = new SigmaMatcher(
    rules.filter(({ id }) => !(silent.has(id) && isOff(id))),
    mappings,
  )
  const unmapped = new Set(matcher.unmapped.map(({ rule }) => rule.id))
  const alerting = [...rules, ...correlations].filter(
    ({ id, level }) =>
      !silent.has(id) && !unmapped.has(id) && !isOff(id) && levels.indexOf(level) >= levels.indexOf(defaults.levelMin),
  )
  return {
    matcher,
    alerting: new Map(alerting.map((document) => [document.id, alertingRule(document, document.kind, defaults)])),
    leftOut: [
      ...unusable.map(({ document, reason }) => ({ document, reason })),
      ...matcher.unmapped.map(({ rule, ...why }) => ({ document: rule, ...why })),
    ],
    silent,
    correlations: (limits, saved) => new Correlations(correlations, limits, saved),
  }
}

function alertingRule(head: SigmaHead, kind: 'rule' | 'correlation', defaults: SigmaDefaults): AlertingRule {
  return {
    id: head.id,
    name: head.title,
    description: head.description,
    category: undefined,
    severity: severities[head.level],
    typeName: kind === 'rule' ? 'sigma' : 'correlation',
    queryKey: kind === 'rule' ? ['host.name'] : [],
    channels: defaults.channels,
    text: {
      subject: undefined,
      subjectArgs: undefined,
      subjectMax: 2048,
      text: undefined,
      textArgs: undefined,
      textKeywords: undefined,
      textType: 'default',
      missing: '<MISSING VALUE>',
      summary: undefined,
    },
    include: ['*'],
    aggregation: undefined,
    realert: { realertMs: defaults.realertMs },
    realertKey: head.id,
    raw: { level: head.level, status: head.status, description: head.description },
    tags: head.tags,
    uuid: head.id,
    ...(head.author === undefined ? {} : { author: head.author }),
    references: head.references,
  }
}

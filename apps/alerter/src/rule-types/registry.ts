import { any } from './any.ts'
import type { RuleType } from './define-rule-type.ts'
import { frequency } from './frequency.ts'

/** Every rule type by its wire name: one line each. */
export const ruleTypes: ReadonlyMap<string, RuleType> = new Map([any, frequency].map((type) => [type.name, type]))

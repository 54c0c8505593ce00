import { cefStep } from './cef.ts'
import { csvStep } from './csv.ts'
import { dissectStep } from './dissect.ts'
import { grokStep } from './grok.ts'
import { jsonStep } from './json.ts'
import { kvStep } from './kv.ts'
import { leefStep } from './leef.ts'
import { matchStep } from './match.ts'
import type { StepType } from './step.ts'
import { xmlStep } from './xml.ts'

/** Every way to take a text apart. */
export const stepTypes: readonly StepType[] = [
  matchStep,
  grokStep,
  dissectStep,
  kvStep,
  csvStep,
  jsonStep,
  xmlStep,
  cefStep,
  leefStep,
]

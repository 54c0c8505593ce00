import { agents } from './agents/feature.tsx'
import { alerts } from './alerts/feature.tsx'
import { consoleFeature } from './console/feature.tsx'
import { dashboards } from './dashboards/feature.tsx'
import { discover } from './discover/feature.tsx'
import type { Feature } from './feature.ts'
import { health } from './health/feature.tsx'
import { management } from './management/feature.tsx'
import { rules } from './rules/feature.tsx'

/** All features, in the order of the navigation. */
export const features: readonly Feature[] = [
  discover,
  dashboards,
  alerts,
  rules,
  agents,
  consoleFeature,
  management,
  health,
]

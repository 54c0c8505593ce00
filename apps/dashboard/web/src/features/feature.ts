import type { LucideIcon } from 'lucide-react'
import type { ComponentType } from 'react'

/** A page of the product and its place in the navigation. The code of a feature is loaded when it is opened. */
export interface Feature {
  readonly id: string
  readonly title: string
  /** Below `/app/`; the feature serves everything under it. */
  readonly path: string
  readonly icon: LucideIcon
  readonly group: 'analyse' | 'respond' | 'operate'
  load(): Promise<{ Page: ComponentType }>
}

/** Declares a feature; the registry lists it. */
export function defineFeature(feature: Feature): Feature {
  return feature
}

import type { QueryClient } from '@tanstack/react-query'
import type { LucideIcon } from 'lucide-react'
import type { ComponentType } from 'react'

/** What is loaded of a feature when it is opened. */
export interface FeatureProgram {
  readonly Page: ComponentType
  /** Asks what the page at this address asks first, where it is opened by its address: before it is drawn, so that search answers meanwhile. */
  readonly askFirst?: (client: QueryClient) => Promise<void>
}

/** A page of the product and its place in the navigation. The code of a feature is loaded when it is opened. */
export interface Feature {
  readonly id: string
  readonly title: string
  /** Below `/app/`; the feature serves everything under it. */
  readonly path: string
  readonly icon: LucideIcon
  readonly group: 'analyse' | 'respond' | 'operate'
  load(): Promise<FeatureProgram>
}

/** Declares a feature; the registry lists it. */
export function defineFeature(feature: Feature): Feature {
  return feature
}

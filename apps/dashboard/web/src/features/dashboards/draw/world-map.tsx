import { type ComponentProps, lazy, Suspense } from 'react'
import { LoadingState } from '../../../shell/states.tsx'
import type { WorldMapDrawn } from './world-map-drawn.tsx'

// Outlines of countries are as large as all programs of a page: only who looks at a map loads them.
const Loaded = lazy(async () => ({ default: (await import('./world-map-drawn.tsx')).WorldMapDrawn }))

/** A map of the world as `world-map-drawn.tsx` shows it, loaded when it is first shown. */
export function WorldMap(props: ComponentProps<typeof WorldMapDrawn>) {
  return (
    <Suspense fallback={<LoadingState label={props.label} />}>
      <Loaded {...props} />
    </Suspense>
  )
}

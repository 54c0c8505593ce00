import { lazy, Suspense } from 'react'
import { LoadingState } from '../../../shell/states.tsx'
import { definePanel, type PanelProps } from '../model/panel.ts'

// Its libraries are as large as all other charts'.
const Loaded = lazy(async () => ({ default: (await import('../vega/vega-view.tsx')).VegaPanel }))

/** Vega and Vega-Lite specifications over the answers of searches. */
export const vega = definePanel('vega', VegaLoaded)

function VegaLoaded(props: PanelProps) {
  return (
    <Suspense fallback={<LoadingState label={props.panel.title} />}>
      <Loaded {...props} />
    </Suspense>
  )
}

import { lazy, Suspense } from 'react'
import { LoadingState } from '../../../shell/states.tsx'
import { definePanel, type PanelProps } from '../model/panel.ts'

// A language of its own, which few dashboards have.
const Loaded = lazy(async () => ({ default: (await import('../timelion/timelion-view.tsx')).TimelionPanel }))

/** Timelion: series over time that an expression asks for, calculates and draws. */
export const timelion = definePanel('timelion', TimelionLoaded)

function TimelionLoaded(props: PanelProps) {
  return (
    <Suspense fallback={<LoadingState label={props.panel.title} />}>
      <Loaded {...props} />
    </Suspense>
  )
}

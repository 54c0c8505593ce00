import { memo } from 'react'
import { PageBoundary } from '../../shell/page-boundary.tsx'
import type { GridPlace, PanelModel } from './model/dashboard.ts'
import { DataPanel } from './panels/data-panel.tsx'
import { panelKinds } from './panels/index.ts'
import type { DashboardContext } from './panels/panel.ts'
import { Placeholder } from './panels/placeholder.tsx'

const kinds = new Map(panelKinds.map((kind) => [kind.kind, kind]))

/** Panels on the grid of 48 columns, rows of 20 pixels and gaps of 8; one below the other on narrow screens. */
export function PanelGrid({ panels, context }: { panels: readonly PanelModel[]; context: DashboardContext }) {
  const ordered = [...panels].sort((left, right) => left.place.y - right.place.y || left.place.x - right.place.x)
  return (
    <div className="dashboard-grid">
      {ordered.map((panel) => (
        <section
          key={panel.id}
          className="panel dashboard-panel"
          style={placeStyle(panel.place)}
          aria-label={panel.title || panel.kind}
        >
          {panel.title !== '' && <h2 className="dashboard-panel-title">{panel.title}</h2>}
          <div className="dashboard-panel-body">
            <PageBoundary>
              <Panel panel={panel} context={context} />
            </PageBoundary>
          </div>
        </section>
      ))}
    </div>
  )
}

const Panel = memo(function Panel({ panel, context }: { panel: PanelModel; context: DashboardContext }) {
  const kind = kinds.get(panel.kind)
  if (!kind) return <Placeholder panel={panel} />
  if ('prepare' in kind) return <DataPanel panel={panel} context={context} prepare={kind.prepare} />
  return <kind.Component panel={panel} context={context} />
})

function placeStyle(place: GridPlace): React.CSSProperties {
  return {
    '--panel-column': `${place.x + 1} / span ${place.w}`,
    '--panel-row': `${place.y + 1} / span ${place.h}`,
    '--panel-height': `${Math.max(6, place.h) * 28}px`,
  } as React.CSSProperties
}

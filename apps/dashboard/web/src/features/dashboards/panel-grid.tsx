import { Text } from '@mantine/core'
import { memo, useEffect, useMemo } from 'react'
import { readChartsSoon } from '../../charts/chart.tsx'
import { PageBoundary } from '../../shell/page-boundary.tsx'
import { describeRange } from '../../time/time-range.ts'
import { EditHandles, HeadingMenu, type PanelActions } from './edit/edit-handles.tsx'
import type { Layout } from './edit/layout.ts'
import { InTurn } from './in-turn.tsx'
import { PanelMenu } from './inspect/panel-menu.tsx'
import { useValueDrilldowns } from './inspect/value-drilldowns.tsx'
import type { DashboardContext, PanelKind } from './model/panel.ts'
import type { GridPlace, PanelModel } from './model/panel-model.ts'
import { ownRange, withOwnRange } from './model/panel-range.ts'
import { DataPanel } from './panels/data-panel.tsx'
import { panelKinds } from './panels/index.ts'
import { Placeholder } from './panels/placeholder.tsx'

const kinds = new Map(panelKinds.map((kind) => [kind.kind, kind]))

/** What editing adds to the grid. */
export interface GridEditing {
  readonly actions: PanelActions
  /** Where panels lie while one is moved. */
  readonly layout: Layout | undefined
  /** What a panel's menu calls its editing; undefined where there is none. */
  editLabelOf(panel: PanelModel): string | undefined
}

/** Panels on the grid of 48 columns, rows of 20 pixels and gaps of 8; one below the other on narrow screens. */
export const PanelGrid = memo(function PanelGrid({
  panels,
  context,
  editing,
  maximised,
  onMaximise,
}: {
  panels: readonly PanelModel[]
  context: DashboardContext
  editing?: GridEditing | undefined
  /** The id of the panel that is shown alone. */
  maximised: string | undefined
  onMaximise: (id: string | undefined) => void
}) {
  useEffect(readChartsSoon, [])
  const alone = editing ? undefined : panels.find(({ id }) => id === maximised)
  const shown = alone ? [alone] : panels
  const ordered = [...shown].sort((left, right) => left.place.y - right.place.y || left.place.x - right.place.x)
  return (
    <div className={alone ? 'dashboard-alone' : 'dashboard-grid'}>
      {ordered.map((panel) => (
        <section
          key={panel.id}
          className={panel.kind === 'section' ? 'dashboard-panel' : 'panel dashboard-panel'}
          style={placeStyle(editing?.layout?.get(panel.id) ?? panel.place)}
          aria-label={panel.title || panel.kind}
          data-panel-id={panel.id}
        >
          <PanelControls
            panel={panel}
            context={context}
            editing={editing}
            isMaximised={alone !== undefined}
            onMaximise={onMaximise}
          />
          <PanelHead panel={panel} />
          <div className="dashboard-panel-body">
            <PageBoundary>
              <InTurn label={panel.title || panel.kind} isNear={isNear(panel.place)}>
                <PanelBody panel={panel} context={context} />
              </InTurn>
            </PageBoundary>
          </div>
        </section>
      ))}
    </div>
  )
})

/** What can be done with a panel: moved and changed while its dashboard is edited, else looked behind. */
function PanelControls({
  panel,
  editing,
  ...rest
}: Omit<Parameters<typeof PanelMenu>[0], 'panel'> & { panel: PanelModel; editing: GridEditing | undefined }) {
  const isHeading = panel.kind === 'section'
  if (!editing) return isHeading ? null : <PanelMenu panel={panel} {...rest} />
  const { actions, editLabelOf } = editing
  if (isHeading) return <HeadingMenu panel={panel} actions={actions} />
  return <EditHandles panel={panel} place={panel.place} actions={actions} editLabel={editLabelOf(panel)} />
}

/** The title of a panel, and its range where that is not the dashboard's. */
function PanelHead({ panel }: { panel: PanelModel }) {
  const range = ownRange(panel)
  return (
    <>
      {panel.title !== '' && <h2 className="dashboard-panel-title">{panel.title}</h2>}
      {range && (
        <Text size="xs" px={12} pt={4} className="muted">
          {describeRange(range)}
        </Text>
      )}
    </>
  )
}

/** What a panel shows, without its frame. */
export const PanelBody = memo(function PanelBody(props: { panel: PanelModel; context: DashboardContext }) {
  const { panel } = props
  const ranged = useMemo(() => withOwnRange(panel, props.context, new Date()), [panel, props.context])
  const { context, dialog } = useValueDrilldowns(panel, ranged)
  return (
    <>
      <KnownPanel panel={panel} context={context} />
      {dialog}
    </>
  )
})

/** How a panel is drawn; undefined for what is not known. */
export function kindOf({ kind }: PanelModel): PanelKind | undefined {
  return kinds.get(kind)
}

function KnownPanel({ panel, context }: { panel: PanelModel; context: DashboardContext }) {
  const kind = kindOf(panel)
  if (!kind) return <Placeholder panel={panel} />
  if ('prepare' in kind) return <DataPanel panel={panel} context={context} prepare={kind.prepare} />
  return <kind.Component panel={panel} context={context} />
}

// As in the style sheet: the height of a row with its gap, and the width below which panels lie one below the other.
const rowPx = 28
const stackedPx = 900

/** Whether a panel is in sight of who opens the page; on narrow screens only the laid out page can say. */
export function isNear({ y }: GridPlace): boolean {
  return window.innerWidth > stackedPx && y * rowPx < window.innerHeight
}

function placeStyle(place: GridPlace): React.CSSProperties {
  return {
    '--panel-column': `${place.x + 1} / span ${place.w}`,
    '--panel-row': `${place.y + 1} / span ${place.h}`,
    '--panel-height': `${Math.max(6, place.h) * 28}px`,
  } as React.CSSProperties
}

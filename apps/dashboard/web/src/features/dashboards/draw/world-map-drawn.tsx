import { ActionIcon } from '@mantine/core'
import type { ECharts } from 'echarts/core'
import { Maximize, Minus, Plus } from 'lucide-react'
import { use, useCallback, useMemo, useRef, useState } from 'react'
import { Chart } from '../../../charts/chart.tsx'
import { registerWorld, worldMap } from '../../../charts/map-parts.ts'
import type { ChartTheme } from '../../../charts/palette.ts'
import { loadWorld } from '../../../geo/world.ts'
import type { FieldFilter } from '../../../url-state/field-filters.ts'
import { messages } from '../messages.ts'
import { MapLegends } from './map-legends.tsx'
import type { MapFeature, MapScene } from './map-scene.ts'
import { type Moved, placed, worldMapOption } from './world-map-option.ts'

/** Draws a scene over the land; drags move it, buttons and Ctrl with the wheel zoom: the wheel alone scrolls the page. */
export function WorldMapDrawn({
  scene,
  label,
  onFilters,
}: {
  scene: MapScene
  label: string
  onFilters: (filters: readonly FieldFilter[]) => void
}) {
  const world = use(loadWorld())
  const place = useMemo(() => placed(scene, world), [scene, world])
  const moved = useRef<Moved>(undefined)
  const chart = useRef<ECharts>(undefined)
  const [round, setRound] = useState(0)
  const option = useCallback(
    (theme: ChartTheme) => {
      registerWorld(world)
      return worldMapOption(place, world, theme, round < 0 ? undefined : moved.current, worldMap)
    },
    [place, world, round],
  )
  const onReady = useCallback(
    (made: ECharts) => {
      chart.current = made
      // A chart that is gone no longer knows it.
      const box = made.getDom()
      const onClick = (event: unknown): void => {
        const { componentType, name = '', data } = event as MapClick
        const feature = componentType === 'geo' ? place.regions.get(name) : data?.feature
        if (feature && feature.filters.length > 0) onFilters(feature.filters)
      }
      const onRoam = (): void => {
        moved.current = movedTo(made)
      }
      const onWheel = (event: WheelEvent): void => {
        if (!event.ctrlKey) return
        event.preventDefault()
        zoomBy(made, event.deltaY < 0 ? 1.25 : 0.8, [event.offsetX, event.offsetY])
      }
      made.on('click', onClick)
      made.on('georoam', onRoam)
      box.addEventListener('wheel', onWheel, { passive: false })
      return () => {
        made.off('click', onClick)
        made.off('georoam', onRoam)
        box.removeEventListener('wheel', onWheel)
      }
    },
    [place, onFilters],
  )
  const zoom = (factor: number): void => {
    const made = chart.current
    if (made) zoomBy(made, factor, [made.getWidth() / 2, made.getHeight() / 2])
  }
  const fit = (): void => {
    moved.current = undefined
    setRound(round + 1)
  }
  return (
    <div className="world-map">
      <div className="world-map-land">
        <Chart option={option} label={label} onReady={onReady} />
      </div>
      <div className="world-map-buttons">
        <MapButton label={messages.map.closer} onClick={() => zoom(1.6)} icon={<Plus size={14} />} />
        <MapButton label={messages.map.farther} onClick={() => zoom(1 / 1.6)} icon={<Minus size={14} />} />
        <MapButton label={messages.map.fit} onClick={fit} icon={<Maximize size={14} />} />
      </div>
      <MapLegends legends={scene.legends} notes={[...scene.notes, ...unplacedNote(place.unplaced)]} />
    </div>
  )
}

interface MapClick {
  readonly componentType?: string
  readonly name?: string
  readonly data?: { readonly feature?: MapFeature }
}

function MapButton({ label, icon, onClick }: { label: string; icon: React.ReactNode; onClick: () => void }) {
  return (
    <ActionIcon variant="default" size="sm" aria-label={label} title={label} onClick={onClick}>
      {icon}
    </ActionIcon>
  )
}

const unplacedMax = 8

function unplacedNote(values: readonly string[]): string[] {
  if (values.length === 0) return []
  const named = values.slice(0, unplacedMax).join(', ')
  return [messages.map.unplaced(values.length > unplacedMax ? `${named}, …` : named, values.length)]
}

function zoomBy(chart: ECharts, zoom: number, [originX, originY]: readonly [number, number]): void {
  chart.dispatchAction({ type: 'geoRoam', componentType: 'geo', geoIndex: 0, zoom, originX, originY })
}

/** What the chart says of where it was moved to. */
function movedTo(chart: ECharts): Moved | undefined {
  const [geo] = (chart.getOption()['geo'] ?? []) as { zoom?: number; center?: number[] }[]
  return geo?.center ? { zoom: geo.zoom ?? 1, center: geo.center } : undefined
}

import type { PanelKind } from '../model/panel.ts'
import { gauge, goal } from './gauge.tsx'
import { heatmap } from './heatmap.tsx'
import { inputControls } from './input_control_vis.tsx'
import { links } from './links.tsx'
import { lnsChoropleth } from './lnsChoropleth.tsx'
import { lnsDatatable } from './lnsDatatable.tsx'
import { lnsGauge } from './lnsGauge.tsx'
import { lnsHeatmap } from './lnsHeatmap.tsx'
import { lnsLegacyMetric } from './lnsLegacyMetric.tsx'
import { lnsMetric } from './lnsMetric.tsx'
import { lnsPie } from './lnsPie.tsx'
import { lnsTagcloud } from './lnsTagcloud.tsx'
import { lnsXY } from './lnsXY.tsx'
import { map } from './map.tsx'
import { markdown } from './markdown.tsx'
import { metric } from './metric.tsx'
import { metrics } from './metrics.tsx'
import { missing } from './missing.tsx'
import { pie } from './pie.tsx'
import { regionMap } from './region_map.tsx'
import { search } from './search.tsx'
import { section } from './section.tsx'
import { table } from './table.tsx'
import { tagcloud } from './tagcloud.tsx'
import { tileMap } from './tile_map.tsx'
import { timelion } from './timelion.tsx'
import { vega } from './vega.tsx'
import { area, histogram, horizontalBar, line } from './xy.tsx'

/** All kinds of panels that can be drawn. */
export const panelKinds: readonly PanelKind[] = [
  area,
  gauge,
  goal,
  heatmap,
  histogram,
  horizontalBar,
  inputControls,
  line,
  links,
  lnsChoropleth,
  lnsDatatable,
  lnsGauge,
  lnsHeatmap,
  lnsLegacyMetric,
  lnsMetric,
  lnsPie,
  lnsTagcloud,
  lnsXY,
  map,
  markdown,
  metric,
  metrics,
  missing,
  pie,
  regionMap,
  search,
  section,
  table,
  tagcloud,
  tileMap,
  timelion,
  vega,
]

import { links } from './links.tsx'
import { lnsDatatable } from './lnsDatatable.tsx'
import { lnsLegacyMetric } from './lnsLegacyMetric.tsx'
import { lnsMetric } from './lnsMetric.tsx'
import { lnsPie } from './lnsPie.tsx'
import { lnsXY } from './lnsXY.tsx'
import { markdown } from './markdown.tsx'
import { metric } from './metric.tsx'
import { missing } from './missing.tsx'
import type { PanelKind } from './panel.ts'
import { pie } from './pie.tsx'
import { search } from './search.tsx'
import { table } from './table.tsx'
import { area, histogram, horizontalBar, line } from './xy.tsx'

/** All kinds of panels that can be drawn. */
export const panelKinds: readonly PanelKind[] = [
  area,
  histogram,
  horizontalBar,
  line,
  links,
  lnsDatatable,
  lnsLegacyMetric,
  lnsMetric,
  lnsPie,
  lnsXY,
  markdown,
  metric,
  missing,
  pie,
  search,
  table,
]

import { BarChart, GaugeChart, HeatmapChart, LineChart, PieChart } from 'echarts/charts'
import {
  AriaComponent,
  BrushComponent,
  GridComponent,
  LegendComponent,
  MarkAreaComponent,
  MarkLineComponent,
  ToolboxComponent,
  TooltipComponent,
  VisualMapComponent,
} from 'echarts/components'
import { init, use } from 'echarts/core'
import { CanvasRenderer } from 'echarts/renderers'

// Only what is drawn: the whole library is twice as large.
use([
  AriaComponent,
  BarChart,
  BrushComponent,
  CanvasRenderer,
  GaugeChart,
  GridComponent,
  HeatmapChart,
  LegendComponent,
  LineChart,
  MarkAreaComponent,
  MarkLineComponent,
  PieChart,
  // Never shown; a brush asks for it when its chart is drawn again.
  ToolboxComponent,
  TooltipComponent,
  VisualMapComponent,
])

export { init }

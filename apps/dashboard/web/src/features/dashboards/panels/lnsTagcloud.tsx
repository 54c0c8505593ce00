import { number, text } from '../../../kibana/saved-json.ts'
import { TagCloud } from '../draw/tag-cloud.tsx'
import { lensVisualization } from '../model/lens.ts'
import { layerRequest } from '../model/lens-layer.ts'
import { defineDataPanel } from '../model/panel.ts'
import { filterByCell } from './filter-by-cell.ts'

/** The Lens tag cloud. */
export const lnsTagcloud = defineDataPanel('lnsTagcloud', ({ panel, context }) => {
  const visualization = lensVisualization(panel)
  const request = layerRequest(panel, text(visualization['layerId']) ?? '', context.objects)
  return {
    requests: request ? [request] : [],
    draw: ([table]) =>
      table &&
      request && (
        <TagCloud
          model={{
            table,
            tag: text(visualization['tagAccessor']) ?? '',
            value: text(visualization['valueAccessor']) ?? '',
            minFontSize: number(visualization['minFontSize']) ?? 14,
            maxFontSize: number(visualization['maxFontSize']) ?? 48,
          }}
          onPick={filterByCell(request, context)}
        />
      ),
  }
})

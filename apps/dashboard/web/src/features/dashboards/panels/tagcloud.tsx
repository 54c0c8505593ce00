import { number } from '../../../kibana/saved-json.ts'
import { TagCloud } from '../draw/tag-cloud.tsx'
import { legacyVisualization } from '../model/legacy-vis.ts'
import { defineDataPanel } from '../model/panel.ts'
import { filterByCell } from './filter-by-cell.ts'

/** The legacy tag cloud. */
export const tagcloud = defineDataPanel('tagcloud', ({ panel, context }) => {
  const { params, request } = legacyVisualization(panel, context.objects)
  return {
    requests: [request],
    draw: ([table]) =>
      table && (
        <TagCloud
          model={{
            table,
            tag: request.buckets[0]?.id ?? '',
            value: request.metrics[0]?.id ?? '',
            minFontSize: number(params['minFontSize']) ?? 14,
            maxFontSize: number(params['maxFontSize']) ?? 48,
          }}
          onPick={filterByCell(request, context)}
        />
      ),
  }
})

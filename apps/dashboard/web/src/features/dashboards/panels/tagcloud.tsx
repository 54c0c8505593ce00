import { TagCloud } from '../draw/tag-cloud.tsx'
import { legacyVisualization } from '../model/legacy-vis.ts'
import { number } from '../model/saved-json.ts'
import { filterByCell } from './filter-by-cell.ts'
import { defineDataPanel } from './panel.ts'

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

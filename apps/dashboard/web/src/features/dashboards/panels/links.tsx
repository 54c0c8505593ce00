import { Anchor, Flex } from '@mantine/core'
import { Link } from 'wouter'
import { type Json, jsonArray, number, text } from '../../../kibana/saved-json.ts'
import { useTimeSearch } from '../../../time/use-time-range.ts'
import { appPath } from '../../../url-state/app-path.ts'
import { definePanel, type PanelProps } from '../model/panel.ts'

/** Links to other dashboards and to pages elsewhere. */
export const links = definePanel('links', LinksPanel)

function LinksPanel({ panel, context }: PanelProps) {
  const timeSearch = useTimeSearch()
  const isHorizontal = panel.attributes['layout'] === 'horizontal'
  const entries = [...jsonArray(panel.attributes['links'])].sort(
    (left, right) => (number(left['order']) ?? 0) - (number(right['order']) ?? 0),
  )
  const targetOf = (entry: Json): string | undefined =>
    panel.references.find(({ name }) => name === entry['destinationRefName'])?.id
  return (
    <Flex
      direction={isHorizontal ? 'row' : 'column'}
      gap={isHorizontal ? 'md' : 4}
      wrap="wrap"
      p="xs"
      data-testid="panel-drawn"
    >
      {entries.map((entry, index) => {
        const key = text(entry['id']) ?? String(index)
        const external = text(entry['destination'])
        if (entry['type'] === 'externalLink' && external && /^https?:\/\//.test(external)) {
          return (
            <Anchor key={key} href={external} target="_blank" rel="noreferrer" size="sm">
              {text(entry['label']) || external}
            </Anchor>
          )
        }
        const id = targetOf(entry)
        if (id === undefined) return null
        const title = text(context.objects.get(`dashboard:${id}`)?.attributes['title'])
        return (
          <Anchor
            key={key}
            component={Link}
            href={appPath(`/app/dashboards/${encodeURIComponent(id)}${timeSearch}`)}
            size="sm"
          >
            {text(entry['label']) || title || id}
          </Anchor>
        )
      })}
    </Flex>
  )
}

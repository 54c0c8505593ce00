import { Box, Text } from '@mantine/core'

/** One big number. */
export interface MetricTile {
  readonly label: string
  readonly value: string
  readonly subtitle?: string | undefined
  readonly color?: string | undefined
  /** Whether the colour is the text's or the background's. */
  readonly colorMode?: 'text' | 'background'
}

/** Big numbers side by side, each as large as its box allows. */
export function MetricTiles({ tiles }: { tiles: readonly MetricTile[] }) {
  return (
    <div className="metric-tiles">
      {tiles.map((tile) => {
        const isFilled = tile.colorMode === 'background' && tile.color !== undefined
        return (
          <Box
            key={tile.label}
            className="metric-tile"
            style={isFilled ? { background: tile.color, color: contrastOf(tile.color ?? '') } : undefined}
          >
            <Text
              className="metric-value"
              style={tile.color && !isFilled ? { color: tile.color } : undefined}
              data-testid="metric-value"
            >
              {tile.value}
            </Text>
            <Text size="sm" className={isFilled ? 'metric-label' : 'metric-label muted'}>
              {tile.label}
            </Text>
            {tile.subtitle && (
              <Text size="xs" className={isFilled ? '' : 'muted'}>
                {tile.subtitle}
              </Text>
            )}
          </Box>
        )
      })}
    </div>
  )
}

function contrastOf(color: string): string {
  const hex = /^#([0-9a-f]{6})/i.exec(color)?.[1]
  if (!hex) return '#fff'
  const [red = 0, green = 0, blue = 0] = [0, 2, 4].map((at) => Number.parseInt(hex.slice(at, at + 2), 16))
  return (red * 299 + green * 587 + blue * 114) / 1000 > 150 ? '#10161f' : '#fff'
}

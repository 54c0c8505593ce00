import { Box, Progress, Text } from '@mantine/core'
import { messages } from '../messages.ts'
import { contrastOf } from './contrast.ts'
import { trendPath } from './trend-path.ts'

import './metric-tiles.css'

/** One big number. */
export interface MetricTile {
  /** Its own among the tiles; the label where there is none. */
  readonly id?: string
  readonly label: string
  readonly value: string
  /** What stands below the label. */
  readonly subtitle?: string | undefined
  /** How the number went along time, oldest first; gaps are null. */
  readonly trend?: readonly (number | null)[] | undefined
  /** A second number in words, below all. */
  readonly secondary?: string | undefined
  readonly color?: string | undefined
  /** Whether the colour is the text's or the background's. */
  readonly colorMode?: 'text' | 'background'
  /** How far the number is on its way to what is to be reached, 0 to 1. */
  readonly share?: number | undefined
}

/** Big numbers side by side, each as large as its box allows. */
export function MetricTiles({ tiles }: { tiles: readonly MetricTile[] }) {
  return (
    <div className="metric-tiles">
      {tiles.map((tile) => {
        const isFilled = tile.colorMode === 'background' && tile.color !== undefined
        return (
          <Box
            key={tile.id ?? tile.label}
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
            {tile.label !== '' && (
              <Text size="sm" className={isFilled ? 'metric-label' : 'metric-label muted'}>
                {tile.label}
              </Text>
            )}
            {tile.share !== undefined && (
              <Progress
                value={100 * tile.share}
                w="70%"
                mt={4}
                aria-label={tile.label}
                {...(tile.color && !isFilled ? { color: tile.color } : {})}
              />
            )}
            {tile.subtitle && (
              <Text size="xs" className={isFilled ? '' : 'muted'}>
                {tile.subtitle}
              </Text>
            )}
            {tile.secondary && (
              <Text size="xs" className={isFilled ? '' : 'muted'}>
                {tile.secondary}
              </Text>
            )}
            {tile.trend && <Trend points={tile.trend} label={tile.label} />}
          </Box>
        )
      })}
    </div>
  )
}

/** The number along time as an area at the foot of its tile. */
function Trend({ points, label }: { points: readonly (number | null)[]; label: string }) {
  return (
    <svg
      className="metric-trend"
      viewBox="0 0 100 30"
      preserveAspectRatio="none"
      role="img"
      aria-label={messages.trend(label)}
    >
      <path d={trendPath(points)} fill="currentColor" opacity={0.22} />
    </svg>
  )
}

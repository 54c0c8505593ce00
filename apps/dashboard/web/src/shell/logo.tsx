import { Group, Text } from '@mantine/core'

/** The product's mark and name. */
export function Logo({ size = 26, withName = true }: { size?: number; withName?: boolean }) {
  return (
    <Group gap={10} wrap="nowrap">
      <svg width={size} height={size} viewBox="0 0 32 32" aria-hidden="true">
        <rect width="32" height="32" rx="7" fill="var(--mantine-color-brand-8)" />
        <g fill="#fff">
          <rect x="7" y="8" width="18" height="4" rx="1.5" />
          <rect x="7" y="14" width="13" height="4" rx="1.5" opacity=".8" />
          <rect x="7" y="20" width="8" height="4" rx="1.5" opacity=".6" />
        </g>
      </svg>
      {withName && (
        <Text fw={650} fz={size * 0.65} lh={1} lts={-0.3}>
          logstack
        </Text>
      )}
    </Group>
  )
}

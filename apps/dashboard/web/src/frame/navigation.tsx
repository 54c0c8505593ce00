import {
  ActionIcon,
  Box,
  Divider,
  Group,
  Menu,
  NavLink,
  ScrollArea,
  Stack,
  Text,
  Tooltip,
  useComputedColorScheme,
  useMantineColorScheme,
} from '@mantine/core'
import { CircleUserRound, LogOut, Moon, Sun } from 'lucide-react'
import { Link, useLocation } from 'wouter'
import type { Feature } from '../features/feature.ts'
import { features } from '../features/registry.ts'
import { useLogout, useSession } from '../session/session-gate.tsx'
import { useTimeSearch } from '../time/use-time-range.ts'

const groups: readonly { id: Feature['group']; title: string }[] = [
  { id: 'analyse', title: 'Analyse' },
  { id: 'respond', title: 'Respond' },
  { id: 'operate', title: 'Operate' },
]

/** The links to all features, and who is logged in. The time range travels along. */
export function Navigation({ narrow, onNavigate }: { narrow: boolean; onNavigate: () => void }) {
  return (
    <>
      <ScrollArea flex={1} component="nav" aria-label="Main">
        <Stack gap={narrow ? 4 : 'md'}>
          {groups.map((group) => (
            <Box key={group.id}>
              {narrow ? <Divider my={4} /> : <GroupTitle title={group.title} />}
              {features
                .filter((feature) => feature.group === group.id)
                .map((feature) => (
                  <FeatureLink key={feature.id} feature={feature} narrow={narrow} onNavigate={onNavigate} />
                ))}
            </Box>
          ))}
        </Stack>
      </ScrollArea>
      <Divider mb="xs" />
      <Group justify="space-between" wrap={narrow ? 'wrap' : 'nowrap'} gap={4}>
        <UserMenu narrow={narrow} />
        <SchemeSwitch />
      </Group>
    </>
  )
}

function GroupTitle({ title }: { title: string }) {
  return (
    <Text size="xs" fw={600} className="muted" px="xs" mb={4} tt="uppercase" lts={0.4} fz={11}>
      {title}
    </Text>
  )
}

function FeatureLink({ feature, narrow, onNavigate }: { feature: Feature; narrow: boolean; onNavigate: () => void }) {
  const [location] = useLocation()
  const timeSearch = useTimeSearch()
  const Icon = feature.icon
  const target = `/app/${feature.path}`
  return (
    <Tooltip label={feature.title} position="right" disabled={!narrow}>
      <NavLink
        component={Link}
        href={`${target}${timeSearch}`}
        label={narrow ? undefined : feature.title}
        aria-label={feature.title}
        leftSection={<Icon size={18} strokeWidth={1.75} />}
        active={location === target || location.startsWith(`${target}/`)}
        onClick={onNavigate}
        styles={{ root: { borderRadius: 6, padding: '7px 10px' }, section: { marginRight: narrow ? 0 : 10 } }}
      />
    </Tooltip>
  )
}

function UserMenu({ narrow }: { narrow: boolean }) {
  const session = useSession()
  const logout = useLogout()
  return (
    <Menu position="top-start" width={220}>
      <Menu.Target>
        <NavLink
          component="button"
          label={narrow ? undefined : session.username}
          aria-label={`User ${session.username}`}
          leftSection={<CircleUserRound size={18} strokeWidth={1.75} />}
          styles={{ root: { borderRadius: 6, padding: '7px 10px' }, section: { marginRight: narrow ? 0 : 10 } }}
        />
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>
          {session.username} · {session.roles.join(', ') || 'no roles'}
        </Menu.Label>
        <Menu.Item leftSection={<LogOut size={16} />} onClick={() => void logout()}>
          Log out
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}

function SchemeSwitch() {
  const { setColorScheme } = useMantineColorScheme()
  const scheme = useComputedColorScheme('light')
  const next = scheme === 'dark' ? 'light' : 'dark'
  return (
    <Tooltip label={`Use ${next} colours`}>
      <ActionIcon
        variant="subtle"
        color="gray"
        size="lg"
        aria-label={`Use ${next} colours`}
        onClick={() => setColorScheme(next)}
      >
        {scheme === 'dark' ? <Sun size={18} /> : <Moon size={18} />}
      </ActionIcon>
    </Tooltip>
  )
}

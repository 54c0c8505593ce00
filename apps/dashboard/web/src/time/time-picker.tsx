import { Box, Button, Group, Menu, NumberInput, Popover, Select, SimpleGrid, Tabs } from '@mantine/core'
import { CalendarClock, ChevronDown, RefreshCw } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { Spinner } from '../shell/spinner.tsx'
import { LoadingState } from '../shell/states.tsx'
import { messages, refreshOptions, unitOptions } from './messages.ts'
import { describeRange, quickRanges, type TimeRange } from './time-range.ts'
import type { TimeState } from './use-time-range.ts'

// Calendars are large, and few ask for one.
const AbsoluteRange = lazy(async () => ({ default: (await import('./absolute-range.tsx')).AbsoluteRange }))

/** Chooses the time range and how often the page refreshes. */
export function TimePicker({ time, busy }: { time: TimeState; busy?: boolean }) {
  const [opened, setOpened] = useState(false)
  const choose = (range: TimeRange): void => {
    setOpened(false)
    time.setRange(range)
  }
  return (
    <Group gap="xs" className="time-picker">
      <Popover opened={opened} onChange={setOpened} position="bottom-end" width={420} shadow="md" trapFocus>
        <Popover.Target>
          <Button
            variant="default"
            aria-label={`${messages.pick}: ${describeRange(time.range)}`}
            leftSection={<CalendarClock size={16} />}
            rightSection={<ChevronDown size={14} />}
            onClick={() => setOpened(!opened)}
          >
            {describeRange(time.range)}
          </Button>
        </Popover.Target>
        <Popover.Dropdown>
          <Tabs defaultValue="quick" keepMounted={false}>
            <Tabs.List mb="sm">
              <Tabs.Tab value="quick">{messages.quick}</Tabs.Tab>
              <Tabs.Tab value="relative">{messages.relative}</Tabs.Tab>
              <Tabs.Tab value="absolute">{messages.absolute}</Tabs.Tab>
            </Tabs.List>
            <Tabs.Panel value="quick">
              <QuickRanges current={time.range} onChoose={choose} />
            </Tabs.Panel>
            <Tabs.Panel value="relative">
              <RelativeRange onChoose={choose} />
            </Tabs.Panel>
            <Tabs.Panel value="absolute">
              <Suspense fallback={<LoadingState />}>
                <AbsoluteRange current={time.range} onChoose={choose} />
              </Suspense>
            </Tabs.Panel>
          </Tabs>
        </Popover.Dropdown>
      </Popover>
      <RefreshControl time={time} busy={busy ?? false} />
    </Group>
  )
}

function QuickRanges({ current, onChoose }: { current: TimeRange; onChoose: (range: TimeRange) => void }) {
  return (
    <SimpleGrid cols={2} spacing={4} verticalSpacing={2}>
      {quickRanges.map((range) => (
        <Button
          key={range.label}
          variant={range.from === current.from && range.to === current.to ? 'light' : 'subtle'}
          size="xs"
          justify="flex-start"
          onClick={() => onChoose({ from: range.from, to: range.to })}
        >
          {range.label}
        </Button>
      ))}
    </SimpleGrid>
  )
}

function RelativeRange({ onChoose }: { onChoose: (range: TimeRange) => void }) {
  const [amount, setAmount] = useState<string | number>(2)
  const [unit, setUnit] = useState<string | null>('h')
  return (
    <Group align="flex-end" gap="xs" wrap="nowrap">
      <NumberInput label={messages.last} min={1} max={100_000} value={amount} onChange={setAmount} flex={1} />
      <Select
        aria-label="Unit"
        data={unitOptions}
        value={unit}
        onChange={setUnit}
        allowDeselect={false}
        comboboxProps={{ withinPortal: false }}
        flex={1}
      />
      <Button onClick={() => onChoose({ from: `now-${Number(amount) || 1}${unit ?? 'h'}`, to: 'now' })}>
        {messages.apply}
      </Button>
    </Group>
  )
}

function RefreshControl({ time, busy }: { time: TimeState; busy: boolean }) {
  const still = <RefreshCw size={15} />
  const chosen = refreshOptions.find((option) => Number(option.value) === time.refreshMs)
  return (
    <Button.Group>
      <Button variant="light" leftSection={busy ? <Spinner size={15}>{still}</Spinner> : still} onClick={time.refresh}>
        {messages.refresh}
      </Button>
      <Menu position="bottom-end">
        <Menu.Target>
          <Button variant="light" px={8} aria-label={`${messages.refreshEvery}: ${chosen?.label ?? time.refreshMs}`}>
            {time.refreshMs > 0 && (
              <Box component="span" mr={4} fz="xs">
                {chosen?.label ?? `${time.refreshMs / 1000} s`}
              </Box>
            )}
            <ChevronDown size={14} />
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Label>{messages.refreshEvery}</Menu.Label>
          {refreshOptions.map((option) => (
            <Menu.Item
              key={option.value}
              fw={option === chosen ? 600 : undefined}
              onClick={() => time.setRefreshMs(Number(option.value))}
            >
              {option.label}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
    </Button.Group>
  )
}

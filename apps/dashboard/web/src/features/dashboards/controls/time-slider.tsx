import { ActionIcon, Group, Input, RangeSlider, Text, Tooltip } from '@mantine/core'
import { useIsFetching } from '@tanstack/react-query'
import { Anchor, Pause, Play, StepBack, StepForward } from 'lucide-react'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { formatInstant, type ResolvedRange } from '../../../time/time-range.ts'
import { messages } from '../messages.ts'
import { movedSlice, sliceRange, stepOf, type TimeSlice } from '../model/time-slice.ts'

const playPauseMs = 1_750
// The slider counts in shares of the range; a key moves by one of them.
const parts = 200

/** A slice of the dashboard's range: chosen by its ends, moved by steps, or played. */
export function TimeSlider({
  range,
  slice,
  onChange,
}: {
  range: ResolvedRange
  slice: TimeSlice
  /** `isPlayed` says that nobody chose it: it is no step to go back to. */
  onChange: (slice: TimeSlice, isPlayed: boolean) => void
}) {
  const [playing, setPlaying] = useState(false)
  const [dragged, setDragged] = useState<TimeSlice>()
  const step = stepOf(range)
  usePlay(playing, () => onChange(movedSlice(slice, 1, step), true))
  const choose = (next: TimeSlice): void => {
    setPlaying(false)
    onChange(next, false)
  }
  const shown = dragged ?? slice
  const { fromMs, toMs } = sliceRange(range, shown)
  const sliceOf = ([start, end]: readonly [number, number]): TimeSlice => ({
    start: slice.anchored ? 0 : start / parts,
    end: end / parts,
    anchored: slice.anchored,
  })
  const text = (part: number): string => formatInstant(range.fromMs + ((range.toMs - range.fromMs) * part) / parts)
  return (
    <Group role="group" aria-label={messages.slider.title} gap="sm" wrap="nowrap" className="time-slider">
      <Group gap={4} wrap="nowrap">
        <SliderButton label={messages.slider.back} onClick={() => choose(movedSlice(slice, -1, step))}>
          <StepBack size={14} />
        </SliderButton>
        <SliderButton
          label={playing ? messages.slider.pause : messages.slider.play}
          onClick={() => setPlaying(!playing)}
        >
          {playing ? <Pause size={14} /> : <Play size={14} />}
        </SliderButton>
        <SliderButton label={messages.slider.on} onClick={() => choose(movedSlice(slice, 1, step))}>
          <StepForward size={14} />
        </SliderButton>
        <SliderButton
          label={messages.slider.anchor}
          pressed={slice.anchored}
          onClick={() => choose({ start: slice.anchored ? slice.start : 0, end: slice.end, anchored: !slice.anchored })}
        >
          <Anchor size={14} />
        </SliderButton>
      </Group>
      <Input.Wrapper flex={1} miw={120}>
        <RangeSlider
          size="sm"
          min={0}
          max={parts}
          minRange={1}
          value={[Math.round(shown.start * parts), Math.round(shown.end * parts)]}
          label={text}
          thumbFromLabel={messages.slider.from}
          thumbToLabel={messages.slider.to}
          onChange={(ends) => setDragged(sliceOf(ends))}
          onChangeEnd={(ends) => {
            setDragged(undefined)
            choose(sliceOf(ends))
          }}
        />
      </Input.Wrapper>
      <Text size="xs" className="muted" data-testid="time-slice">
        {formatInstant(fromMs).slice(0, 19)} – {formatInstant(toMs).slice(0, 19)}
      </Text>
    </Group>
  )
}

function SliderButton({
  label,
  pressed,
  onClick,
  children,
}: {
  label: string
  pressed?: boolean
  onClick: () => void
  children: ReactNode
}) {
  return (
    <Tooltip label={label}>
      <ActionIcon
        variant={pressed ? 'filled' : 'default'}
        aria-label={label}
        {...(pressed === undefined ? {} : { 'aria-pressed': pressed })}
        onClick={onClick}
      >
        {children}
      </ActionIcon>
    </Tooltip>
  )
}

/** Steps on again and again while playing, each time once the panels have drawn what they show and people have seen it. */
function usePlay(playing: boolean, onStep: () => void): void {
  const busy = useIsFetching({ queryKey: ['panel'] }) > 0
  const step = useRef(onStep)
  step.current = onStep
  useEffect(() => {
    if (!playing || busy) return undefined
    const timer = setInterval(() => step.current(), playPauseMs)
    return () => clearInterval(timer)
  }, [playing, busy])
}

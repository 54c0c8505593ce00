import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { expressionFunction, type Loader, type LoggerInterface, logger, parse, type Spec, View, Warn } from 'vega'
import { expressionInterpreter } from 'vega-interpreter'
import { compile, type TopLevelSpec } from 'vega-lite'
import { searchTogether } from '../../../api/search-batch.ts'
import { type Json, text } from '../../../kibana/saved-json.ts'
import { ErrorState, LoadingState } from '../../../shell/states.tsx'
import { sharedTypes } from '../answers/use-table.ts'
import { messages } from '../messages.ts'
import type { PanelProps } from '../model/panel.ts'
import { visParams } from '../model/vis-params.ts'
import { vegaQuestion } from './ask.ts'
import { letAct } from './dashboard-functions.ts'
import { boundedSequence, readSpec, type VegaSpec, withAnswers, withoutKibana } from './spec.ts'

// Expressions may ask for a sequence in any place, of any length.
expressionFunction('sequence', boundedSequence)

/** Reads a panel's specification, asks what it asks, and draws it. What is wrong with it is told. */
export function VegaPanel({ panel, context }: PanelProps) {
  const saved = text(visParams(panel)['spec']) ?? ''
  const { range, queries, filters, round } = context
  const found = useQuery({
    queryKey: ['vega', panel.id, saved, range, queries, filters, round],
    retry: false,
    queryFn: async ({ signal }): Promise<VegaSpec> => {
      const { spec, isLite } = readSpec(saved)
      const ask = async (url: Json): Promise<unknown> => {
        const { index, body } = vegaQuestion(url, context, await sharedTypes(text(url['index']) ?? ''))
        return searchTogether(index, body, signal)
      }
      return { spec: await withAnswers(spec, ask), isLite }
    },
  })
  if (found.error) return <ErrorState error={found.error} title={messages.panelFailed} />
  if (!found.data) return <LoadingState label={panel.title} />
  return <Drawn {...found.data} label={panel.title} context={context} />
}

function Drawn({ spec, isLite, label, context }: VegaSpec & { label: string; context: PanelProps['context'] }) {
  const box = useRef<HTMLDivElement>(null)
  const [failed, setFailed] = useState<unknown>()
  // The view outlives what the dashboard gives with each change.
  const acts = useRef(context)
  acts.current = context
  useEffect(() => {
    const element = box.current
    if (!element) return undefined
    let view: View | undefined
    try {
      const size = { width: element.clientWidth - 10, height: element.clientHeight - 10 }
      view = viewOf({ spec, isLite }, size, setFailed)
      letAct(view, {
        onFilter: (filter) => acts.current.onFilter(filter),
        onZoom: (fromMs, toMs) => acts.current.onZoom(fromMs, toMs),
      })
      view.initialize(element).hover()
      view.runAsync().catch(setFailed)
    } catch (thrown) {
      setFailed(thrown)
    }
    return () => {
      view?.finalize()
      element.replaceChildren()
    }
  }, [spec, isLite])
  if (failed !== undefined) return <ErrorState error={failed} title={messages.panelFailed} />
  return (
    <div
      ref={box}
      role="img"
      aria-label={label}
      data-testid="panel-drawn"
      style={{ height: '100%', overflow: 'hidden' }}
    />
  )
}

interface Size {
  readonly width: number
  readonly height: number
}

function viewOf({ spec, isLite }: VegaSpec, size: Size, onError: (error: unknown) => void): View {
  const plain = { ...size, autosize: { type: 'fit', contains: 'padding' }, ...withoutKibana(spec) }
  const ready = isLite ? compile(plain as unknown as TopLevelSpec).spec : (plain as unknown as Spec)
  // Expressions stay trees, which the interpreter walks: the page's policy lets nobody make programs of text.
  const parsed = parse(ready, {}, { ast: true })
  return new View(parsed, { expr: expressionInterpreter, loader, logger: telling(onError), renderer: 'canvas' })
}

/** What goes wrong while a view is drawn is only logged by it. */
function telling(onError: (error: unknown) => void): LoggerInterface {
  const told = logger(Warn)
  const error = (...words: readonly unknown[]): LoggerInterface => {
    onError(words.find((word) => word instanceof Error) ?? new Error(words.map(String).join(' ')))
    return told
  }
  return Object.assign(told, { error })
}

function refuse(address: string): Promise<never> {
  return Promise.reject(new Error(messages.vegaAddress(address)))
}

/** Nothing is loaded, and nothing linked to: data comes from search, before the view is made. */
const loader: Loader = {
  load: refuse,
  sanitize: refuse,
  http: refuse,
  file: refuse,
}

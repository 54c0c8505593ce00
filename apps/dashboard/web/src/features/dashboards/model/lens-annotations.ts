import { type Json, jsonArray, jsonObject, number, text, texts } from '../../../kibana/saved-json.ts'
import { formatInstant } from '../../../time/time-range.ts'
import { dataSourceOf, type ObjectMap } from './objects.ts'
import type { PanelModel } from './panel-model.ts'
import { queriesOf } from './saved-queries.ts'
import type { MetricSpec, Table, TableRequest } from './table.ts'
import type { XyMark } from './xy-mark.ts'

/** Events that a query finds and a chart marks, with the request for where they lie. */
export interface EventLayer {
  readonly annotation: Json
  readonly request: TableRequest
}

const firstId = 'first'
const countId = 'count'
// Values of one field that a mark tells of, where it stands for several events.
const valuesMax = 5

/** The annotations of an XY chart that a query finds: events in one bar's width of time are one mark. */
export function eventLayers(visualization: Json, panel: PanelModel, objects: ObjectMap): EventLayer[] {
  return annotationLayers(visualization).flatMap((layer) =>
    jsonArray(layer['annotations']).flatMap((annotation) => {
      const query = queriesOf(annotation['filter'])
      if (annotation['type'] !== 'query' || annotation['isHidden'] === true || query.length === 0) return []
      const source = dataSourceOf(patternId(panel, layer), objects)
      const timeField = text(annotation['timeField']) ?? source.timeField
      if (timeField === undefined) return []
      const request: TableRequest = {
        index: source.index,
        timeField,
        queries: query,
        filters: [],
        buckets: [{ id: 'time', label: timeField, type: 'date_histogram', field: timeField, interval: 'auto' }],
        metrics: [
          { id: firstId, label: timeField, type: 'min', field: timeField },
          { id: countId, label: 'Events', type: 'count' },
          ...fieldsOf(annotation).map((field): MetricSpec => valuesOf(field, timeField)),
        ],
        alone: layer['ignoreGlobalFilters'] === true,
      }
      return [{ annotation, request }]
    }),
  )
}

/** The marks of the events of a layer: each at its first event, with what its fields say. */
export function eventMarks(annotation: Json, table: Table | undefined): XyMark[] {
  const label = text(annotation['label']) ?? ''
  const textField = text(annotation['textField'])
  const isNamed = annotation['textVisibility'] === true
  return (table?.rows ?? []).flatMap((row): XyMark[] => {
    const at = row[firstId]
    const count = Number(row[countId] ?? 0)
    if (typeof at !== 'number' || count === 0) return []
    const named = textField === undefined ? label : String(row[textField] ?? label)
    return [
      {
        at,
        along: 'time',
        label: isNamed ? named : '',
        color: text(annotation['color']),
        style: lineStyle(annotation),
        width: number(annotation['lineWidth']) ?? 1,
        icon: text(annotation['icon']) ?? 'triangle',
        name: label,
        detail: [
          formatInstant(at).slice(0, 19),
          ...(count > 1 ? [`${count} events`] : []),
          ...fieldsOf(annotation).flatMap((field) => (row[field] === null ? [] : [`${field}: ${row[field]}`])),
        ].join(' · '),
      },
    ]
  })
}

/** The moments and spans that people marked themselves. */
export function annotationMarks(visualization: Json): XyMark[] {
  const annotations = annotationLayers(visualization).flatMap((layer) => jsonArray(layer['annotations']))
  return annotations.flatMap((annotation): XyMark[] => {
    const key = jsonObject(annotation['key'])
    const at = Date.parse(text(key['timestamp']) ?? '')
    if (annotation['isHidden'] === true || Number.isNaN(at)) return []
    const until = Date.parse(text(key['endTimestamp']) ?? '')
    return [
      {
        at,
        until: Number.isNaN(until) ? undefined : until,
        along: 'time',
        label: text(annotation['label']) ?? '',
        color: text(annotation['color']),
        style: lineStyle(annotation),
        width: number(annotation['lineWidth']) ?? 1,
      },
    ]
  })
}

function annotationLayers(visualization: Json): Json[] {
  return jsonArray(visualization['layers']).filter(({ layerType }) => layerType === 'annotations')
}

/** The fields a mark tells of: the one of its text first. */
function fieldsOf(annotation: Json): string[] {
  return [...new Set([...texts([annotation['textField']]), ...texts(annotation['extraFields'])])]
}

function valuesOf(field: string, timeField: string): MetricSpec {
  return {
    id: field,
    label: field,
    type: 'last_value',
    field,
    sortField: timeField,
    hits: valuesMax,
    combine: 'concat',
  }
}

function lineStyle(annotation: Json): XyMark['style'] {
  const style = annotation['lineStyle']
  return style === 'dashed' || style === 'dotted' ? style : 'solid'
}

/** The id of the layer's index pattern: a reference of the panel, or of itself, or its own key. */
function patternId(panel: PanelModel, layer: Json): string | undefined {
  const name = `xy-visualization-layer-${text(layer['layerId']) ?? ''}`
  const internal = jsonArray(jsonObject(panel.attributes['state'])['internalReferences'])
  return (
    panel.references.find((reference) => reference.name === name)?.id ??
    text(internal.find((reference) => reference['name'] === name)?.['id']) ??
    text(layer['indexPatternId'])
  )
}

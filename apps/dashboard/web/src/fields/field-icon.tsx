import {
  Braces,
  CalendarDays,
  CaseSensitive,
  CircleHelp,
  Hash,
  MapPin,
  Network,
  Quote,
  ToggleLeft,
  TriangleAlert,
} from 'lucide-react'
import { numericTypes } from './numeric-types.ts'

const icons = {
  text: { Icon: CaseSensitive, label: 'Text' },
  match_only_text: { Icon: CaseSensitive, label: 'Text' },
  keyword: { Icon: Quote, label: 'Keyword' },
  constant_keyword: { Icon: Quote, label: 'Keyword' },
  wildcard: { Icon: Quote, label: 'Keyword' },
  flattened: { Icon: Braces, label: 'Flattened' },
  date: { Icon: CalendarDays, label: 'Date' },
  date_nanos: { Icon: CalendarDays, label: 'Date' },
  ip: { Icon: Network, label: 'IP address' },
  boolean: { Icon: ToggleLeft, label: 'Boolean' },
  geo_point: { Icon: MapPin, label: 'Geo point' },
} as const

/** A small sign for a field's type. Lists have hundreds of them, so the browser itself says what they mean. */
export function FieldIcon({ type, conflicting = false }: { type: string | undefined; conflicting?: boolean }) {
  const { Icon, label } = iconOf(type, conflicting)
  return (
    <Icon size={14} className="muted" aria-label={label} style={{ flexShrink: 0 }}>
      <title>{label}</title>
    </Icon>
  )
}

function iconOf(type: string | undefined, conflicting: boolean) {
  if (conflicting) return { Icon: TriangleAlert, label: 'Different types in different indices' }
  if (type !== undefined && type in icons) return icons[type as keyof typeof icons]
  if (type !== undefined && numericTypes.has(type)) return { Icon: Hash, label: 'Number' }
  return { Icon: CircleHelp, label: type ?? 'Not mapped' }
}

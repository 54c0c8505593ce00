import type { MapLegend } from './map-scene.ts'

/** What the colours of a map mean, and what is not on it, in its corner. */
export function MapLegends({ legends, notes }: { legends: readonly MapLegend[]; notes: readonly string[] }) {
  if (legends.length === 0 && notes.length === 0) return null
  return (
    <div className="world-map-legends">
      {legends.map((legend) => (
        <section key={legend.title} data-testid="map-legend">
          {legend.title !== '' && <div className="world-map-legend-title">{legend.title}</div>}
          {legend.ramp && (
            <div className="world-map-ramp">
              <span>{legend.ramp.from}</span>
              <span style={{ background: `linear-gradient(to right, ${legend.ramp.colors.join(', ')})` }} />
              <span>{legend.ramp.to}</span>
            </div>
          )}
          {legend.entries?.map(({ color, label }) => (
            <div key={label}>
              <span className="parts-mark" style={{ background: color }} /> {label}
            </div>
          ))}
        </section>
      ))}
      {notes.map((note) => (
        <div key={note} data-testid="map-note" className="world-map-note">
          {note}
        </div>
      ))}
    </div>
  )
}

const buckets = 'aggregations.countries.buckets'
const body = { size: 0, aggs: { countries: { terms: { field: 'source.geo.country_name', size: 10 } } } }
const url = { '%context%': true, '%timefield%': '@timestamp', index: 'map-connections', body }

/** Bars of the connections by country, in the words of Vega-Lite with a comment, as people write them. */
export const barsSpec = `{
  // how many from where
  $schema: https://vega.github.io/schema/vega-lite/v5.json
  data: {url: ${JSON.stringify(url)}, format: {property: "${buckets}"}}
  mark: {type: "bar", color: "#7b1fa2"}
  encoding: {
    x: {field: "doc_count", type: "quantitative"}
    y: {field: "key", type: "nominal", sort: "-x"}
  }
}`

/** A square a country, in Vega. */
export const marksSpec = `{
  $schema: https://vega.github.io/schema/vega/v5.json
  data: [{name: "t", url: ${JSON.stringify(url)}, format: {property: "${buckets}"}}]
  scales: [{name: "y", type: "band", domain: {data: "t", field: "key"}, range: "height"}]
  marks: [{
    type: "rect"
    from: {data: "t"}
    encode: {enter: {
      x: {value: 0}, width: {signal: "20 * datum.doc_count"}
      y: {scale: "y", field: "key"}, height: {scale: "y", band: 1}
      fill: {value: "#00838f"}
    }}
  }]
}`

/** It loads from elsewhere. */
export const loadingSpec = JSON.stringify({
  $schema: 'https://vega.github.io/schema/vega-lite/v5.json',
  data: { url: 'https://example.org/secret.json' },
  mark: 'point',
  encoding: { x: { field: 'a', type: 'quantitative' } },
})

/** It tries to run a script from within an expression. */
export const scriptSpec = JSON.stringify({
  $schema: 'https://vega.github.io/schema/vega/v5.json',
  signals: [{ name: 's', init: "[].constructor.constructor('window.hacked = true')()" }],
  marks: [],
})

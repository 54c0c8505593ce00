import { z } from 'zod'
import { Double, printDouble } from '../../json/print-json.ts'
import { geometryText, readGeometry, showGeometry } from '../geometry.ts'
import { defineFieldType } from './define-field-type.ts'
import { illegalValue, readLeaf } from './leaf.ts'
import { flag, malformedParameters } from './parameters.ts'

/** `geo_shape`: a shape in GeoJSON or well-known text, kept in the source and not searched by area; its column says that there is one. */
export const geoShapeField = defineFieldType({
  name: 'geo_shape',
  family: 'geo_shape',
  valueType: 'boolean',
  aggregatable: false,
  presenceOnly: true,
  objects: 'whole',
  members: (whole) => (Array.isArray(whole) ? whole : [whole]),
  parameters: z.strictObject({
    ...malformedParameters,
    ignore_z_value: flag.optional(),
    coerce: flag.optional(),
    orientation: z.string().optional(),
    strategy: z.enum(['recursive', 'term']).optional(),
  }),
  parse: readLeaf((value) => {
    if (!readGeometry(value)) throw illegalValue('failed to parse geometry')
    return true
  }),
  queryValue(_given, field) {
    throw illegalValue(
      `Geometry fields do not support exact searching, use dedicated geometry queries instead: [${field.path}]`,
    )
  },
  show: String,
  showLeaf(leaf, format = 'geojson') {
    const geometry = readGeometry(leaf)
    if (!geometry) return leaf
    if (format === 'geojson') return showGeometry(geometry, (value) => new Double(value))
    if (format === 'wkt') return geometryText(geometry, printDouble)
    throw illegalValue(`Unrecognized geometry format [${format}].`)
  },
})

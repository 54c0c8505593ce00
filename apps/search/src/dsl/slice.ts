import { z } from 'zod'
import { illegalArgument, memberError } from '../refusals/refuse.ts'
import { whole } from './shapes/scalars.ts'

/** The default of `index.max_slices_per_scroll`. */
const slicesMax = 1024

const refused = (member: string, reason: string) => memberError('slice', member, illegalArgument(reason))

/** `slice`: one of several parts of a search that are read apart. */
export const sliceSchema = z
  .strictObject({ field: z.string().optional(), id: whole, max: whole })
  .transform((slice) => {
    const { id, max } = slice
    if (max <= 1) throw refused('max', 'max must be greater than 1')
    if (id < 0) throw refused('id', 'id must be greater than or equal to 0')
    if (id >= max) throw refused('max', 'max must be greater than id')
    if (max > slicesMax)
      throw illegalArgument(
        `The number of slices [${max}] is too large. It must be less than [${slicesMax}]. This limit can be set by changing the [index.max_slices_per_scroll] index level setting.`,
      )
    return slice
  })

/** A slice as it was read. */
export type Slice = z.infer<typeof sliceSchema>

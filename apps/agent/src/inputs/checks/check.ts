import { z } from 'zod'

/** One thing that must hold on a host; exactly one of its keys is given. */
const conditionSchema = z.union([
  /** The file or folder is there (or with `absent` is not), and nobody has more rights or owns it but who is said. */
  z.strictObject({
    file: z.string().startsWith('/'),
    absent: z.boolean().optional(),
    mode_max: z
      .string()
      .regex(/^[0-7]{3,4}$/)
      .optional(),
    owner: z.number().int().optional(),
    group: z.number().int().optional(),
  }),
  /** A line of the file (or of files of the pattern) matches, or with `none` no line does; comments are no lines. */
  z.strictObject({
    lines_of: z.string().startsWith('/'),
    match: z.string(),
    none: z.boolean().optional(),
    /** What holds where there is no such file. */
    without_file: z.boolean().optional(),
  }),
  /** A kernel parameter has this value. */
  z.strictObject({ sysctl: z.string().regex(/^[\w.-]+$/), is: z.string() }),
  /** A package of dpkg is installed, or with `absent` is not. */
  z.strictObject({ package: z.string(), absent: z.boolean().optional() }),
  /** A systemd unit is enabled, or with `disabled` is not. */
  z.strictObject({ unit: z.string().regex(/^[\w.@-]+$/), disabled: z.boolean().optional() }),
])

/** One check of a host's configuration. */
export const checkSchema = z.strictObject({
  id: z.string().regex(/^[a-z0-9-]+$/),
  title: z.string(),
  why: z.string(),
  fix: z.string(),
  /** All of them must hold. */
  all: z.array(conditionSchema).min(1).optional(),
  /** One of them must hold. */
  any: z.array(conditionSchema).min(1).optional(),
})

/** A policy file: checks for hosts of one kind. */
export const checkFileSchema = z.strictObject({
  policy: z.string(),
  title: z.string(),
  /** Only for hosts whose `ID` or `ID_LIKE` of os-release is one of these. */
  systems: z.array(z.string()).min(1),
  checks: z.array(checkSchema).min(1),
})

export type CheckCondition = z.infer<typeof conditionSchema>
export type Check = z.infer<typeof checkSchema>
export type CheckFile = z.infer<typeof checkFileSchema>

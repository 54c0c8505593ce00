import { illegalArgument, memberError } from '../../refusals/refuse.ts'

/** Refuses numbers of an aggregation of a type and a name that are below their least ones; what is not given is not looked at. */
export function checkAtLeast(
  type: string,
  name: string,
  parameters: Readonly<Record<string, unknown>>,
  least: Readonly<Record<string, number>>,
): void {
  for (const [member, low] of Object.entries(least)) {
    const given = parameters[member]
    if (typeof given !== 'number' || given >= low) continue
    const bound = low === 0 ? 'greater than or equal to 0' : `greater than ${low - 1}`
    throw memberError(type, member, illegalArgument(`[${member}] must be ${bound}. Found [${given}] in [${name}]`))
  }
}

/** The reasons that something is refused for, from the outermost inwards, one a line; throws when it is not refused. */
export async function reasonsOf(asked: Promise<unknown>): Promise<string> {
  try {
    await asked
  } catch (thrown) {
    const reasons: string[] = []
    for (let error = thrown; error instanceof Error; error = error.cause) reasons.push(error.message)
    return reasons.join('\n')
  }
  throw new Error('it was not refused')
}

/** Waits until what has been asked for together is on the way: such questions are sent a turn later than they are asked. */
export async function whenSent(): Promise<void> {
  for (let turn = 0; turn < 2; turn += 1) await new Promise((resolve) => setTimeout(resolve))
}

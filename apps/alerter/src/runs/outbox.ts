import type { IdentifiedAlert } from '../channels/define-channel.ts'
import type { RunSurroundings } from './run.ts'

/** The alerts of a step of a run: written with the run's state first, then as alerts, so that a crash in between repeats and loses none. */
export class Outbox {
  #alerts: readonly IdentifiedAlert[]

  /** Takes what a crash may have kept back. */
  constructor(saved: readonly IdentifiedAlert[] = []) {
    this.#alerts = saved
  }

  /** What is to be written with the state. */
  get alerts(): readonly IdentifiedAlert[] {
    return this.#alerts
  }

  get isEmpty(): boolean {
    return this.#alerts.length === 0
  }

  /** The alerts of the next step; those of the last one must be out. */
  put(alerts: readonly IdentifiedAlert[]): void {
    this.#alerts = alerts
  }

  /** Writes and delivers what it holds; answers whether that was anything. */
  async empty({ alerts, deliver }: Pick<RunSurroundings, 'alerts' | 'deliver'>): Promise<boolean> {
    if (this.isEmpty) return false
    const created = await alerts.create(this.#alerts)
    this.#alerts = []
    deliver(created)
    return true
  }
}

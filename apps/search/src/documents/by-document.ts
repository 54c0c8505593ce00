/** What is known of documents, by the catalogue id of their index and their id: no key is put together for each look. */
export class ByDocument<V> {
  readonly #byIndex = new Map<number, Map<string, V>>()

  get(index: number, id: string): V | undefined {
    return this.#byIndex.get(index)?.get(id)
  }

  set(index: number, id: string, value: V): void {
    const known = this.#byIndex.get(index)
    if (known) known.set(id, value)
    else this.#byIndex.set(index, new Map([[id, value]]))
  }

  delete(index: number, id: string): void {
    const known = this.#byIndex.get(index)
    known?.delete(id)
    if (known?.size === 0) this.#byIndex.delete(index)
  }

  each(visit: (value: V, index: number, id: string) => void): void {
    // Stepping through them would make a pair for each, of thousands in every batch.
    for (const [index, known] of this.#byIndex)
      known.forEach((value, id) => {
        visit(value, index, id)
      })
  }
}

/** How much more often something is in a subset than in all: documents with it and all documents, of both. */
export interface Occurrences {
  readonly inSubset: number
  readonly subset: number
  readonly inAll: number
  readonly all: number
}

/** The heuristics of `significant_terms` by their wire names; higher is more significant, not above 0 is not at all. */
export const heuristics = {
  jlh({ inSubset, subset, inAll, all }: Occurrences): number {
    if (subset === 0 || all === 0 || inSubset === 0) return 0
    const here = inSubset / subset
    const everywhere = inAll === 0 ? 1 / all : inAll / all
    const absolute = here - everywhere
    return absolute <= 0 ? 0 : absolute * (here / everywhere)
  },
  percentage: ({ inSubset, inAll }: Occurrences) => (inAll === 0 ? 0 : inSubset / inAll),
  gnd({ inSubset, subset, inAll, all }: Occurrences): number {
    if (inSubset === 0 || inAll === 0 || all === 0) return 0
    const [subsets, terms, both] = [Math.log(subset), Math.log(inAll), Math.log(inSubset)]
    const distance = (Math.max(subsets, terms) - both) / (Math.log(all) - Math.min(subsets, terms))
    return Number.isFinite(distance) ? Math.exp(-distance) : 0
  },
  chi_square({ inSubset, subset, inAll, all }: Occurrences): number {
    const [n11, n10, n01] = [inSubset, subset - inSubset, inAll - inSubset]
    const n00 = all - n11 - n10 - n01
    const product = (n11 + n01) * (n11 + n10) * (n10 + n00) * (n01 + n00)
    if (product <= 0 || inSubset / subset <= inAll / all) return 0
    return (all * (n11 * n00 - n01 * n10) ** 2) / product
  },
  mutual_information({ inSubset, subset, inAll, all }: Occurrences): number {
    if (all === 0 || subset === 0 || inSubset / subset <= inAll / all) return 0
    const [n11, n10, n01] = [inSubset, subset - inSubset, inAll - inSubset]
    const n00 = all - n11 - n10 - n01
    const share = (both: number, one: number, other: number) =>
      both <= 0 ? 0 : (both / all) * Math.log2((all * both) / (one * other))
    return (
      share(n11, n11 + n10, n11 + n01) +
      share(n10, n11 + n10, n10 + n00) +
      share(n01, n01 + n00, n11 + n01) +
      share(n00, n01 + n00, n10 + n00)
    )
  },
} as const

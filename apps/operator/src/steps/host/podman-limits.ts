/** No podman command may hang: it would hold podman's lock. Looking is quick, changing may wait for the disk, building copies the programs. */
export const podmanLimits = { lookMs: 5_000, changeMs: 30_000, buildMs: 900_000 } as const

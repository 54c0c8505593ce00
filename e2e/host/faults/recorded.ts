/** A fault that cannot be made for real on the test host, and what stands for it. */
export interface Recorded {
  readonly fault: string
  /** Why it cannot be injected, and the test that uses recorded output instead. */
  readonly how: string
  /** What it means for the user, as doctor says. */
  readonly meaning: string
}

/** Faults and causes that only unit and integration tests can show; said so in the table of faults. */
export const recorded: readonly Recorded[] = [
  {
    fault: 'logical-volume',
    how: 'recorded only: the kernel of the test machine has no device-mapper (`logical-volumes.test.ts`: output of findmnt, lvs and vgs; ext4 and xfs)',
    meaning: 'events will be refused when it is full, though the disk has room',
  },
  {
    fault: 'memory',
    how: "recorded only: a container's limit needs the memory controller, which the test machine lacks (`faults-of-hosts.test.ts`: exit code 137 with and without the kernel's word, limits below the heap)",
    meaning: 'the kernel ends the part when it takes what it was promised (exit code 137)',
  },
  {
    fault: 'primaries',
    how: 'recorded only: search assigns its own primaries always, an Elasticsearch in its place may not (`search-faults.int.test.ts`)',
    meaning:
      'events of these indices cannot be searched, and new ones are refused; setting replicas to 0 does not help',
  },
  {
    fault: 'supervisor',
    how: 'in `e2e/doctor.e2e.ts`, as only the embedded runtime has one: the supervisor is killed',
    meaning: 'nothing starts a part that ends, and no command reaches the parts that run',
  },
]

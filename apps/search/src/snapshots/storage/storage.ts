/** What was removed, or is there. */
export interface StoredFile {
  /** With `/` between its folders. */
  readonly name: string
  readonly bytes: number
}

/** Where the files of one repository are. A file is there whole or not at all, also after a crash. Errors are those of the place. */
export interface RepositoryStorage {
  /** What tells this place from others: works that change one go one after another. */
  readonly place: string
  /** Makes what must be there before the first file. */
  prepare(): Promise<void>
  /** The size of a file; undefined when it is not there. */
  size(name: string): Promise<number | undefined>
  /** The bytes of a file; undefined when it is not there. */
  read(name: string): Promise<Buffer | undefined>
  write(name: string, bytes: Buffer): Promise<void>
  /** Those that are gone already are fine. */
  remove(names: readonly string[]): Promise<void>
  /** The files of a folder and of those in it; none when it is not there. */
  list(folder: 'blobs' | 'snapshots'): Promise<readonly StoredFile[]>
  /** Removes what crashes left of files that were never finished; answers how many, and their bytes. */
  removeUnfinished(): Promise<{ readonly files: number; readonly bytes: number }>
  /** Has a path of a file on this machine while `work` takes; `bytes` are what was read of it. */
  withPath<T>(name: string, bytes: Buffer, work: (path: string) => Promise<T>): Promise<T>
}

/** A content migration, whatever it is given. */
interface NamedMigration {
  readonly name: string
  readonly checksum?: string
  readonly up: (content: never) => Promise<void>
}

/** The migrations of a site, in their order, and how they are run. */
export interface MigrateOptions {
  readonly migrations: readonly NamedMigration[]
  /**
   * What becomes of those that are left to run: they are run, or the start is refused, or only the log reports them.
   */
  readonly pending?: 'run' | 'refuse' | 'tell'
  readonly isDryRun?: boolean
  /** Told how many documents a migration has looked at. */
  readonly onProgress?: (migration: string, done: number, total: number) => void
  /** Told of each migration that is done. */
  readonly onDone?: (report: MigrationReport) => void
}

/** A migration that was run. */
export interface MigrationReport {
  readonly name: string
  readonly steps: readonly StepReport[]
}

/** A step that was taken: how many documents it has changed, and some of them. */
export interface StepReport {
  readonly title: string
  readonly changed: number
  readonly examples: readonly string[]
}

/** A content migration, whatever it is given. */
interface NamedMigration {
  readonly name: string
  readonly checksum?: string
  readonly up: (content: never) => Promise<void>
}

/** The migrations of a site, in their order, and how they are run. */
export interface MigrateOptions {
  readonly migrations: readonly NamedMigration[]
  /** Pending migrations are run, or make the start fail, or are only logged. */
  readonly pending?: 'run' | 'refuse' | 'log'
  readonly isDryRun?: boolean
  /** Called with the number of documents that a migration has looked at. */
  readonly onProgress?: (migration: string, done: number, total: number) => void
  /** Called when a migration is done. */
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

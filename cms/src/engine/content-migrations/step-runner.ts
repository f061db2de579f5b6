import { batchesOf } from '../../base/batches.ts'
import type { DocId } from '../../model/terms/document-id.ts'
import type { StoredMigration } from '../../store/contract/store.ts'
import type { Context, WriteContext } from '../context.ts'
import { saveMigrated } from '../operations/save-migrated.ts'
import { write } from '../write.ts'
import { type Applied, applySteps, nameOf } from './apply-steps.ts'
import type { StepReport } from './migrate-options.ts'
import type { ContentMigration } from './migration.ts'
import {
  knownUntil,
  type MigrationProgress,
  NOT_BEGUN,
  type PassProgress,
  progressOf,
  recordProgress,
  type StepProgress,
} from './migration-progress.ts'
import type { MovableContent, Step } from './steps.ts'

/** Documents that one transaction changes, and about how many bytes they have at most. */
const BATCH = 100
const BATCH_BYTES = 4_000_000
/** Transactions are to take less: a server ends those that are idle for long, and others wait for them. */
const BATCH_MILLISECONDS = 1000
const EXAMPLES = 5

/** The options of a runner for the steps of one migration. */
export interface StepRunnerOptions {
  readonly ctx: Context
  readonly content: MovableContent
  readonly migration: ContentMigration
  readonly isDryRun: boolean
  /** Other migrations are run after it. */
  readonly isPassing: boolean
  /** Called with the number of documents that a pass has looked at. */
  readonly onProgress: (done: number, total: number) => void
}

/**
 * Takes the steps of a migration. What is moved is recorded at once; documents are changed by all steps in one pass,
 * some in each transaction, which records its progress: after an interruption it goes on there, and of several
 * processes each does a part. A dry run looks at the same documents and writes nothing.
 */
export class StepRunner {
  readonly #options: StepRunnerOptions
  readonly #steps: Step[] = []
  readonly #examples: string[][] = []
  /** How many documents the next transaction changes: what a migration does may take long. */
  #batch = 5
  /** The progress of a dry run. */
  #dry: MigrationProgress = NOT_BEGUN
  #last: MigrationProgress = NOT_BEGUN

  constructor(options: StepRunnerOptions) {
    this.#options = options
  }

  get reports(): readonly StepReport[] {
    return this.#last.steps.map(({ title, changed }, index) => {
      return { title, changed, examples: this.#examples[index] ?? [] }
    })
  }

  /** Begins a step: what it moves is read as moved from now on. Documents follow when `finish` is called. */
  async begin(step: Step): Promise<void> {
    const index = this.#steps.length
    this.#steps.push(step)
    await this.#inTurn(async (ctx, progress) => {
      const known = knownUntil(progress, index, step.title)
      if (known > index) return progress
      const { content, isDryRun } = this.#options
      if (step.move && isDryRun) await content.previewMove(step.move)
      else if (step.move) await content.recordMove(ctx.tx, step.move)
      const since = step.move ? content.epoch : 0
      return withStep(progress, index, { title: step.title, since, changed: 0 })
    })
  }

  /** Does something once, in one transaction, after all that was begun. */
  async once(title: string, work: (ctx: WriteContext) => Promise<void>): Promise<void> {
    await this.finish()
    const index = this.#steps.length
    this.#steps.push({ title, types: [], change: async () => null })
    await this.#inTurn(async (ctx, progress) => {
      if (knownUntil(progress, index, title) > index) return progress
      if (!this.#options.isDryRun) await work(ctx)
      return { ...withStep(progress, index, { title, since: 0, changed: 0 }), finished: index + 1 }
    })
  }

  /** Changes the documents as all steps say that were begun. */
  async finish(): Promise<void> {
    const isDone = ({ finished }: MigrationProgress) => finished >= this.#steps.length
    while (!isDone(this.#last)) {
      await this.#inTurn(async (ctx, progress) => (isDone(progress) ? progress : this.#advance(ctx, progress)))
      const { pass } = this.#last
      if (pass !== null) this.#options.onProgress(pass.seen, pass.total)
    }
  }

  /** Runs work in a transaction that excludes others from this migration, and records the progress that it returns. */
  async #inTurn(work: (ctx: WriteContext, progress: MigrationProgress) => Promise<MigrationProgress>): Promise<void> {
    const { content, migration, isDryRun } = this.#options
    this.#last = await write(this.#options.ctx, async (ctx) => {
      const stored = isDryRun ? null : await this.#locked(ctx)
      const before = isDryRun ? this.#dry : progressOf(stored)
      if (!isDryRun) await content.refresh(ctx.tx.read)
      const after = await work(ctx, before)
      if (!isDryRun && after !== before)
        await recordProgress(ctx, migration, { stored, progress: after, isFinished: false })
      return after
    })
    this.#dry = this.#last
  }

  async #locked(ctx: WriteContext): Promise<StoredMigration | null> {
    await ctx.tx.contentMigrations.lock()
    return ctx.tx.read.contentMigrations.get(this.#options.migration.name)
  }

  /** The next documents of the pass, or its beginning or its end. */
  async #advance(ctx: WriteContext, progress: MigrationProgress): Promise<MigrationProgress> {
    const until = progress.pass?.until ?? this.#steps.length
    const steps = this.#steps.slice(progress.finished, until)
    const types = [...new Set(steps.flatMap((step) => step.types))]
    const { pass } = progress
    if (pass === null) return { ...progress, pass: await begun(ctx, types, until) }
    const docIds = await nextDocuments(ctx, { types, limit: this.#batch }, pass)
    const last = docIds.at(-1)
    if (last !== undefined) {
      const after = { ...pass, after: last, seen: pass.seen + docIds.length }
      return this.#change(ctx, { ...progress, pass: after }, docIds)
    }
    const next = await nextLocale(ctx, types, pass)
    if (next !== null) return { ...progress, pass: next }
    for (const step of steps) {
      if (!this.#options.isDryRun && (await step.finish?.(ctx))) return { ...progress }
    }
    return { ...progress, finished: until, pass: null }
  }

  async #change(ctx: WriteContext, progress: MigrationProgress, docIds: readonly DocId[]): Promise<MigrationProgress> {
    const { content, isDryRun } = this.#options
    const started = performance.now()
    const locale = progress.pass?.locale ?? ''
    const localized = locale === '' ? ctx : { ...ctx, locale }
    const locked = await ctx.tx.documents.lockMany(docIds, locale)
    const called = this.#steps.slice(progress.finished, progress.pass?.until).map((step, index) => {
      return { step, since: progress.steps[progress.finished + index]?.since ?? 0 }
    })
    const applied = await applySteps(localized, called, [...locked.values()], (fields, since) =>
      content.isMoved(fields, since),
    )
    if (!isDryRun && applied.changed.length > 0) await saveMigrated(localized, applied.changed)
    this.#batch = nextBatch(this.#batch, performance.now() - started)
    return this.#counted(progress, applied.byStep)
  }

  #counted(progress: MigrationProgress, byStep: Applied['byStep']): MigrationProgress {
    const steps = progress.steps.map((step, index) => {
      const changed = byStep[index - progress.finished] ?? []
      const examples = this.#examples[index] ?? []
      const byDocument = new Map(changed.map((document) => [document.id.docId, document]))
      for (const document of byDocument.values()) if (examples.length < EXAMPLES) examples.push(nameOf(document))
      this.#examples[index] = examples
      return { ...step, changed: step.changed + byDocument.size }
    })
    return { ...progress, steps }
  }
}

function nextBatch(batch: number, milliseconds: number): number {
  if (milliseconds > BATCH_MILLISECONDS) return Math.max(1, Math.floor(batch / 2))
  return milliseconds < BATCH_MILLISECONDS / 3 ? Math.min(BATCH, batch * 2) : batch
}

/** A pass that has not come to any document begins again with the new step. */
function withStep({ steps, finished, pass }: MigrationProgress, index: number, step: StepProgress): MigrationProgress {
  return { steps: [...steps.slice(0, index), step], finished, pass: pass?.seen === 0 ? null : pass }
}

async function begun({ tx }: WriteContext, types: readonly string[], until: number): Promise<PassProgress> {
  const [locale = ''] = (await tx.read.contentMigrations.locales(types)).toSorted()
  return { until, locale, after: '', seen: 0, total: await tx.read.contentMigrations.count(types) }
}

async function nextLocale(
  { tx }: WriteContext,
  types: readonly string[],
  pass: PassProgress,
): Promise<PassProgress | null> {
  const locales = await tx.read.contentMigrations.locales(types)
  const next = locales.toSorted().find((locale) => locale > pass.locale)
  return next === undefined ? null : { ...pass, locale: next, after: '' }
}

async function nextDocuments(
  { tx }: WriteContext,
  { types, limit }: { readonly types: readonly string[]; readonly limit: number },
  { locale, after }: PassProgress,
): Promise<readonly DocId[]> {
  const docIds = await tx.read.contentMigrations.following({ types, locale, after, limit })
  if (docIds.length === 0) return []
  const sizes = await tx.read.documents.sizes(docIds, locale)
  const [first = []] = batchesOf(docIds, { items: BATCH, bytes: BATCH_BYTES }, (docId) => sizes.get(docId) ?? 0)
  return first
}

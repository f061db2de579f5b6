import { copyJson } from '../../base/json.ts'
import type { Type } from '../../model/declared/types.ts'
import { type OpenDocument, openValues } from '../../model/terms/document.ts'
import type { DocId, Locale, Mode } from '../../model/terms/document-id.ts'
import type { PageCopy, TreeReader } from '../../store/contract/store.ts'
import type { Context, WriteContext } from '../context.ts'
import type { Reason, SaveEvent } from '../events.ts'
import { assertMay, editAction } from '../permissions.ts'
import { announceChanges, type ChangedDocument, changedBy, recordWrite, runWithoutTreeChanges } from './save-hooks.ts'

/** The properties of a copy that follow from its position in the tree. */
interface TreeState {
  readonly slug: string
  readonly archived: boolean
}

/** A copy of a page that a change of the tree affects. */
export interface TreeChange {
  readonly copy: PageCopy
  readonly reason: Extract<Reason, 'moved' | 'carried' | 'archived' | 'restored'>
  readonly after: TreeState
}

/** How many documents are read at a time for hooks. */
const BATCH = 200

/** True when there are hooks for pages: only then do their copies have to be read for them. */
export function hasPageHooks(ctx: Context): boolean {
  const types = [...ctx.site.types.values()].filter(({ family }) => family === 'page')
  return ctx.hooks.has('beforeSave', types) || ctx.hooks.has('afterSave', types)
}

/**
 * Allows and announces that a tree changes these copies without saving them one by one. The caller must be allowed to
 * do that to every type among them, else it is refused whole (§5.2); `beforeSave` may refuse each of them, and what it
 * changes in its fields is discarded; `afterSave` runs after the commit. Call it before the change is written. Hooks
 * must not change the tree. Returns the pages that hooks have changed by operations of their own.
 */
export async function announceTreeChanges(
  ctx: WriteContext,
  locale: Locale,
  changes: readonly TreeChange[],
): Promise<ReadonlySet<DocId>> {
  assertMayChangeTree(ctx, changes)
  const types = typesOf(ctx, changes)
  const changedPages = new Set<DocId>()
  if (ctx.hooks.has('beforeSave', types)) {
    const pages = changes.map(({ copy: { docId, type } }) => ({ docId, locale, type }))
    const runHooks = async () => {
      for await (const event of eventsBefore(ctx, locale, changes)) await ctx.hooks.run('beforeSave', event, ctx)
    }
    const changed = await changedBy(ctx, pages, () => runWithoutTreeChanges(ctx, runHooks))
    for (const { docId } of changed) changedPages.add(docId)
  }
  for (const { copy } of changes) recordWrite(ctx, { docId: copy.docId, locale }, 'changed')
  await announceChanges(ctx, changedCopies(locale, changes))
  if (!ctx.hooks.has('afterSave', types)) return changedPages
  ctx.afterCommit((ctx) => ctx.hooks.notify('afterSave', () => eventsAfter(ctx, locale, changes), ctx))
  return changedPages
}

/** Groups changes by page and reason. */
function changedCopies(locale: Locale, changes: readonly TreeChange[]): ChangedDocument[] {
  const pages = Map.groupBy(changes, ({ copy, reason }) => `${copy.docId} ${reason}`)
  return [...pages.values()].flatMap((some) => {
    const [first] = some
    if (first === undefined) return []
    const { reason, copy } = first
    return [{ reason, type: copy.type, docId: copy.docId, locale, modes: some.map(({ copy }) => copy.mode) }]
  })
}

/** Throws `forbidden` for a caller who may not do this to every type among the copies (§5.2). */
export function assertMayChangeTree({ site, actor }: Context, changes: readonly TreeChange[]): void {
  const isArchiving = ({ reason }: TreeChange) => reason === 'archived' || reason === 'restored'
  const actionOf = (change: TreeChange) => (isArchiving(change) ? 'archive' : editAction(change.copy.mode))
  for (const [action, some] of Map.groupBy(changes, actionOf)) {
    for (const type of typesOf({ site }, some)) assertMay(actor, action, type)
  }
}

function typesOf({ site }: Pick<Context, 'site'>, changes: readonly TreeChange[]): Type[] {
  const names = new Set(changes.map(({ copy }) => copy.type))
  return [...names].flatMap((name) => site.types.get(name) ?? [])
}

async function* eventsBefore(
  ctx: WriteContext,
  locale: Locale,
  changes: readonly TreeChange[],
): AsyncGenerator<SaveEvent> {
  for await (const { change, document, type } of withDocuments(
    { site: ctx.site, tree: ctx.tx.read.tree },
    locale,
    changes,
  )) {
    const fields = { ...copyJson(document.fields), ...change.after }
    yield { reason: change.reason, type, id: document.id, before: document, fields, copyOfId: null }
  }
}

/** The documents as stored at that time, without those removed meanwhile. */
async function* eventsAfter(ctx: Context, locale: Locale, changes: readonly TreeChange[]): AsyncGenerator<SaveEvent> {
  for await (const { change, document, type } of withDocuments(
    { site: ctx.site, tree: ctx.store.tree },
    locale,
    changes,
  )) {
    const { reason, copy } = change
    const before = { ...document, fields: { ...document.fields, slug: copy.slug, archived: copy.isArchived } }
    yield { reason, type, id: document.id, before, fields: document.fields, copyOfId: null }
  }
}

interface Changed {
  readonly change: TreeChange
  readonly document: OpenDocument
  readonly type: Type
}

async function* withDocuments(
  { site, tree }: Pick<Context, 'site'> & { readonly tree: TreeReader },
  locale: Locale,
  changes: readonly TreeChange[],
): AsyncGenerator<Changed> {
  for (let start = 0; start < changes.length; start += BATCH) {
    const batch = changes.slice(start, start + BATCH)
    const documents = await documentsOf(tree, locale, batch)
    for (const change of batch) {
      const document = documents.get(keyOf(change.copy))
      const type = document && site.types.get(document.type)
      if (document && type) yield { change, document, type }
    }
  }
}

async function documentsOf(
  tree: TreeReader,
  locale: Locale,
  changes: readonly TreeChange[],
): Promise<Map<string, OpenDocument>> {
  const found = new Map<string, OpenDocument>()
  for (const [mode, some] of Map.groupBy(changes, ({ copy }) => copy.mode)) {
    const docIds = some.map(({ copy }) => copy.docId)
    for (const { document } of await tree.pages({ locale, mode, docIds, archived: 'any', visibility: null })) {
      found.set(keyOf(document.id), { ...document, fields: openValues(document) })
    }
  }
  return found
}

function keyOf({ docId, mode }: { readonly docId: DocId; readonly mode: Mode }): string {
  return `${docId}:${mode}`
}

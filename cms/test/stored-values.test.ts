import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Context, WriteContext } from '../src/engine/context.ts'
import { insert } from '../src/engine/operations/insert.ts'
import { publish } from '../src/engine/operations/publish.ts'
import type { Type } from '../src/model/declared/types.ts'
import type { Document } from '../src/model/terms/document.ts'
import { walk } from '../src/model/values/walk.ts'

const SOURCE = resolve(import.meta.dirname, '../src')

/** The modules that open stored values of what was read, and by what right. What is locked in a transaction is open. */
const OPENED_BY: Readonly<Record<string, string>> = {
  'engine/access/accounts.ts': 'who signs in',
  'engine/lists/found-texts.ts': 'texts that search finds documents by, each with who may see it',
  'engine/lists/uses.ts': 'where a document uses another one, of the fields that a view shows',
  'engine/media/attachments.ts': 'the file of an image, whose URL is that of the document',
  'engine/operations/publish.ts': 'saves: the slug of the publication before',
  'engine/operations/prepare-crops.ts': 'saves: crops of a patch, as far as a view shows what it addresses',
  'engine/pages/locate-page.ts': 'a page whose move is only tried, as one that is locked',
  'engine/presentation/plan.ts': 'presents, by a view',
  'engine/presentation/populate.ts': 'presents, by a view',
  'engine/presentation/prepare.ts': 'presents, by a view',
  'engine/proposals/decide-proposal.ts': 'saves: rows of a proposal, as far as a view shows them',
  'engine/proposals/proposed-changes.ts': 'contents of proposals, by a view',
  'engine/save/change.ts': 'index rows and unique values',
  'engine/save/draft-problems.ts': 'what a draft lacks, of the fields that a view shows',
  'engine/save/restored-version.ts': 'saves: a version, as far as a view lets it be written',
  'engine/save/tree-changes.ts': 'hooks of the site, which get whole documents',
  'engine/styles/move-palettes.ts': 'migrates',
  'engine/styles/stylesheet.ts': 'presents styles, which everybody sees',
  'engine/urls/feed-items.ts': 'texts of fields that need no role',
  'engine/values/content-findings.ts': 'values that no longer fit, for the command line',
  'engine/values/exported-values.ts': 'everything but secrets, for the command line',
  'engine/values/translatable-texts.ts': 'texts that a view lets be written',
  'engine/values/seen-content.ts': 'contents of versions, by a view',
  'engine/values/readers-refusal.ts': 'which fields a refusal must not name, by a view',
  'engine/versions/check-publishing-along.ts': 'what drafts lack, of the fields that a view shows',
  'engine/versions/editable.ts': 'a document as of a version, which is sealed again',
}

const sources = readdirSync(SOURCE, { recursive: true, encoding: 'utf8' }).filter(
  (file) => file.endsWith('.ts') && !file.endsWith('.test.ts') && !/(^|\/)test-/.test(file),
)
const using = (words: RegExp) => sources.filter((file) => words.test(readFileSync(join(SOURCE, file), 'utf8')))

describe('§5.8 stored values are shown by views', () => {
  test('§5.8 what a feature reads does not compile without a view', () => {
    const read = async (ctx: Context, { id }: Document, type: Type): Promise<void> => {
      const document = await ctx.store.documents.get(id)
      // @ts-expect-error: sealed
      document?.fields.title
      // @ts-expect-error: sealed
      walk(type.fields, document?.fields ?? {})
      const [page] = await ctx.store.tree.pages({ locale: 'en', mode: 'draft', archived: false, visibility: null })
      // @ts-expect-error: sealed
      page?.document.fields.title
      const version = await ctx.store.versions.get('')
      // @ts-expect-error: sealed
      version?.content.title
      const [content] = await ctx.store.versions.contents([])
      // @ts-expect-error: sealed
      content?.open({ type: '', slug: null }).title
    }
    const write = async (ctx: WriteContext, type: Type): Promise<void> => {
      const target = { type, docId: '', locale: 'en', mode: 'draft' } as const
      // @ts-expect-error: sealed
      ;(await insert(ctx, target, {})).fields.title
      // @ts-expect-error: sealed
      ;(await publish(ctx, target)).fields.title
      // @ts-expect-error: sealed
      ;(await ctx.tx.read.documents.copies('', 'en')).draft?.fields.title
    }
    // Types alone are tested: nothing is called.
    expect([read, write]).toHaveLength(2)
  })

  test('§5.8 only these modules open stored values', () => {
    const importing = using(/import [^;]*?\bopenValues\b[^;]*? from '[./]*(model\/)?terms\/document\.ts'/)
    expect(importing.toSorted()).toEqual(Object.keys(OPENED_BY).toSorted())
  })

  test('§5.8 features, the command and HTTP get documents from `engine/answers` alone', () => {
    const presenting = using(/import [^;]* from '[./\w-]*presentation\/present\.ts'/)
    expect(presenting.filter((file) => !file.startsWith('engine/'))).toEqual([])
  })

  test('§5.8 no feature, no command and nothing of HTTP has open documents', () => {
    const open = using(/\b(openValues|OpenDocument|OpenCopies)\b/)
    expect(open.filter((file) => !/^(engine|store|model)\//.test(file) && file !== 'index.ts')).toEqual([])
    // Those outside of the engine that lock look at types and times only.
    const locking = using(/\.lock(Copies|Many)\(/).filter((file) => !/^(engine|store)\//.test(file))
    expect(locking.toSorted()).toEqual(['content.ts'])
  })
})

import type { Page } from 'playwright-core'
import type { createApp } from 'quire-cms'

// Rows of `bench/editor.ts` about the history of a document, and about what is proposed for it.

export const COMPARED = 200
export const VERSIONS = 1000

type App = Awaited<ReturnType<typeof createApp>>
/** Sends a request as an admin. */
type Send = (
  path: string,
  body: unknown,
  method?: string,
) => Promise<{ readonly _id: string; readonly aposDocId: string }>

/** The changes of a document with many blocks, each with other words; and a list of many versions. */
export async function histories(page: Page, { store }: Pick<App, 'store'>, send: Send) {
  const values = { title: 'Compared', type: 'leaf', _targetId: '_home', _position: 'firstChild' }
  const { aposDocId: many } = await send('@cms/page', { ...values, body: { items: items('Before') } })
  await send(`@cms/page/${many}`, { body: { items: items('After') } }, 'PATCH')
  const versions = page.getByRole('list', { name: 'Versions' }).locator(':scope > li')
  await page.goto(`/admin/pages/${many}?side=history`)
  await versions.first().waitFor()
  const asked = performance.now()
  await versions.first().getByRole('button').first().click()
  await page
    .locator('.q-change')
    .nth(COMPARED - 1)
    .waitFor()
  const compared = performance.now() - asked
  const { aposDocId: long } = await send('article', { title: 'Long' })
  await store.transaction((tx) => tx.versions.addMany(manyVersions(long)))
  await page.goto(`/admin/content/article/${long}`)
  await page.getByRole('textbox', { name: 'Lead' }).waitFor()
  const opened = performance.now()
  await page.getByRole('button', { name: 'History', exact: true }).click()
  await versions.nth(9).waitFor()
  return { compared, listed: performance.now() - opened }
}

/** Milliseconds until a proposal with a row for each of many blocks is there. */
export async function proposal(page: Page, send: Send): Promise<number> {
  const values = { title: 'Proposed', type: 'leaf', _targetId: '_home', _position: 'firstChild' }
  const { aposDocId } = await send('@cms/page', { ...values, body: { items: items('Before') } })
  const patch = { body: { items: items('After') } }
  const { _id } = await send('@cms/proposal', { docId: `${aposDocId}:en:draft`, title: 'Other words', patch })
  const began = performance.now()
  await page.goto(`/admin/proposals/${_id}`)
  await page
    .locator('.q-change')
    .nth(COMPARED - 1)
    .waitFor()
  return performance.now() - began
}

const items = (words: string) =>
  Array.from({ length: COMPARED }, (_, at) => ({ _id: `c${at}`, type: 'quote', words: `${words} ${at}` }))

function manyVersions(docId: string) {
  return Array.from({ length: VERSIONS }, (_, at) => ({
    version: {
      id: `${docId.slice(-8)}${String(at).padStart(18, '0')}`,
      docId,
      locale: 'en',
      mode: 'draft' as const,
      type: 'article',
      createdAt: new Date(Date.UTC(2020, 0, 1) + at * 60_000).toISOString(),
      updatedAt: null,
      author: 'Somebody',
      authorId: 'somebody',
      ai: false,
      restoredFrom: null,
      label: null,
      data: null,
    },
    content: { title: `Long ${at}` },
    attachments: [],
  }))
}

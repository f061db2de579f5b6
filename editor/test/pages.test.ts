import { defineSite, page } from 'quire-cms'
import { beforeAll, expect, test } from 'vitest'
import { newId } from '../../cms/src/base/ids.ts'
import { insertPage } from '../../cms/src/engine/operations/insert-page.ts'
import { treeTarget } from '../../cms/src/engine/pages/position.ts'
import { write } from '../../cms/src/engine/write.ts'
import { isWhole } from '../../cms/test/sample.ts'
import type { Service } from '../../cms/test/service.ts'
import { type Desk, describeEditor, expectAccessible } from './editor.ts'

const MANY = isWhole ? 3000 : 450

const site = defineSite({
  name: 'Lantern',
  locales: { en: { label: 'English' } },
  types: [
    page('text-page', { label: 'Text page', fields: { add: { intro: { type: 'string', required: true } } } }),
    page('index-page', { label: 'Index' }),
  ],
  pages: { parked: [{ parkedId: 'search', type: 'index-page', title: 'Search', slug: '/search' }] },
})

describeEditor('§8 the tree of pages', { site }, ({ service, desk }) => {
  const ids: Record<string, string> = {}
  const made = async (title: string, _targetId = '_home', query = '') => {
    const body = { type: 'text-page', title, intro: 'Words', _targetId, _position: 'lastChild' }
    const answer = await service.admin.post('@cms/page', body, query)
    expect(answer).toMatchObject({ status: 200 })
    ids[title] = answer.body.aposDocId
    return answer.body.aposDocId as string
  }
  beforeAll(async () => {
    await made('About')
    for (const title of ['How we work', 'Press', 'People']) await made(title, ids.About)
    await made('Contact')
    await made('Plan', '_home', 'aposMode=draft')
    await made('Section')
    await fill(service, ids.Section ?? '', MANY)
  })

  const treeOf = ({ page }: Desk) => page.getByRole('treegrid', { name: 'Pages' })
  const row = (at: Desk, title: string) =>
    treeOf(at)
      .getByRole('row')
      .filter({ has: at.page.getByRole('link', { name: title, exact: true }) })
  const focused = (at: Desk) =>
    at.page.evaluate(() => document.activeElement?.querySelector('.q-tree-name')?.textContent ?? null)
  const titles = async (parent: string) => {
    const { body } = await service.admin.get(`@cms/page/${parent}/children`, 'aposMode=draft&perPage=50')
    return body.results.map(({ title }: { title: string }) => title)
  }
  const toTree = async (at: Desk) => {
    await at.open('/pages')
    await row(at, 'Home').focus()
  }
  const press = async (at: Desk, ...keys: string[]) => {
    for (const key of keys) await at.page.keyboard.press(key)
  }

  test('opens by keys, keeps few rows in the document, and remembers what was open', async () => {
    const at = await desk('editor')
    await toTree(at)
    await press(at, 's')
    await expect.poll(() => focused(at)).toBe('Search')
    await press(at, 's', 'ArrowRight')
    await expect.poll(() => focused(at)).toBe('Section')
    await row(at, 'Page 0').waitFor()
    expect(await treeOf(at).getByRole('row').count()).toBeLessThanOrEqual(100)
    await press(at, 'ArrowRight')
    await expect.poll(() => focused(at)).toBe('Page 0')
    await expectAccessible(at.page, 'the tree')
    await press(at, 'End')
    await row(at, `Page ${MANY - 1}`).waitFor()
    await press(at, 'ArrowUp')
    await expect.poll(() => focused(at)).toBe(`Page ${MANY - 1}`)
    expect(await treeOf(at).getByRole('row').count()).toBeLessThanOrEqual(100)
    await at.page.reload()
    await expect.poll(() => focused(at)).toBe(`Page ${MANY - 1}`)
    await press(at, 'Enter')
    await expect.poll(() => new URL(at.page.url()).pathname).toMatch(/^\/admin\/pages\/\w+$/)
  })

  test('finds a page, and shows it in the tree', async () => {
    const at = await desk('editor')
    await at.open('/pages')
    await at.page.getByRole('searchbox', { name: 'Search' }).fill('Page 433')
    const found = at.page.getByRole('list', { name: 'Pages found' }).getByRole('listitem')
    await expect.poll(() => found.count()).toBe(1)
    await expect.poll(() => found.innerText()).toContain('Home › Section')
    await expectAccessible(at.page, 'pages found')
    await found.getByRole('button', { name: 'Show in tree: Page 433' }).click()
    await expect.poll(() => focused(at)).toBe('Page 433')
    expect(await treeOf(at).getByRole('row').count()).toBeLessThanOrEqual(100)
  })

  test('moves a page by keys: among its siblings, out and in; a refusal puts it back', async () => {
    const at = await desk('editor')
    await toTree(at)
    await press(at, 'a', 'ArrowRight')
    await row(at, 'People').waitFor()
    await press(at, 'p', 'p')
    await expect.poll(() => focused(at)).toBe('People')
    await press(at, 'Alt+Shift+ArrowUp')
    await expect.poll(() => titles(ids.About ?? '')).toEqual(['How we work', 'People', 'Press'])
    await at.page.getByText('People, now 2 of 3 below About').waitFor({ state: 'attached' })
    await expect.poll(() => focused(at)).toBe('People')
    await press(at, 'Alt+Shift+ArrowRight')
    await expect.poll(() => titles(ids['How we work'] ?? '')).toEqual(['People'])
    await press(at, 'Alt+Shift+ArrowLeft')
    await expect.poll(() => titles(ids.About ?? '')).toEqual(['How we work', 'People', 'Press'])
    await press(at, 'Home', 's', 'Alt+Shift+ArrowUp')
    await at.page.getByText('Part of the site: it stays where it is.').first().waitFor()
    await press(at, 'ArrowUp', 'ArrowUp', 'ArrowUp')
  })

  test('moves a page by the dialog, which tells the new addresses first', async () => {
    const at = await desk('editor')
    await toTree(at)
    await row(at, 'Contact').getByRole('button', { name: 'More actions: Contact' }).click()
    await at.page.getByRole('menuitem', { name: 'Move to…' }).click()
    const dialog = at.page.getByRole('dialog', { name: 'Move Contact' })
    const move = dialog.getByRole('button', { name: 'Move', exact: true })
    await expect.poll(() => move.getAttribute('aria-disabled')).toBe('true')
    await dialog.getByRole('radio', { name: 'Plan' }).check()
    await dialog.getByRole('status').getByText('Publish the parent page first.').waitFor()
    await dialog.getByRole('searchbox', { name: 'Search' }).fill('Abo')
    // The list of all pages gives way to those found.
    await dialog.getByRole('radio', { name: 'Plan', exact: true }).waitFor({ state: 'detached' })
    await dialog.getByRole('radio', { name: 'About', exact: true }).check()
    await dialog.getByText('1 page gets a new address; the old one redirects. It will be at /about/contact.').waitFor()
    await expectAccessible(at.page, 'the dialog to move')
    await move.click()
    await expect.poll(() => titles(ids.About ?? '')).toContain('Contact')
    await row(at, 'Contact').getByText('/about/contact').waitFor()
    const old = await fetch(`${service.address}/contact`, { redirect: 'manual' })
    expect([301, 302, 404]).toContain(old.status)
  })

  test('makes a page below another one, which opens as a draft that lacks something', async () => {
    const at = await desk('contributor')
    await toTree(at)
    await row(at, 'Home').getByRole('button', { name: 'New page below Home' }).click()
    const dialog = at.page.getByRole('dialog', { name: 'New page' })
    await dialog.getByRole('button', { name: 'Make it' }).click()
    await dialog.getByText('Give it a title.').waitFor()
    await expectAccessible(at.page, 'the dialog for a new page')
    await dialog.getByRole('textbox', { name: 'Title' }).fill('Jobs')
    await at.page.keyboard.press('Enter')
    await at.page.getByRole('heading', { level: 1, name: 'Jobs' }).waitFor()
    expect(await titles('_home')).toContain('Jobs')
  })

  test('coming back from a page that was made below another one, its branch is open and its row focused', async () => {
    const at = await desk('editor')
    await toTree(at)
    await row(at, 'About').getByRole('button', { name: 'New page below About' }).click()
    await at.page.getByRole('dialog', { name: 'New page' }).getByRole('textbox', { name: 'Title' }).fill('Careers')
    await at.page.keyboard.press('Enter')
    await at.page.getByRole('heading', { level: 1, name: 'Careers' }).waitFor()
    await at.page.getByRole('link', { name: 'Back to Pages' }).click()
    await row(at, 'Careers').waitFor()
    await expect.poll(() => at.page.evaluate(() => document.activeElement?.textContent)).toContain('Careers')
  })

  test('archives a branch and brings it back', async () => {
    const at = await desk('editor')
    await toTree(at)
    const act = async (title: string, action: string) => {
      await row(at, title)
        .getByRole('button', { name: `More actions: ${title}` })
        .click()
      await at.page.getByRole('menuitem', { name: action }).click()
    }
    await act('About', 'Archive')
    await at.page.getByText('About is in the archive, with everything below it.').first().waitFor()
    await expect.poll(() => titles('_home')).not.toContain('About')
    await at.page.getByRole('button', { name: 'Open the pages below Archive' }).click()
    await act('About', 'Restore to…')
    const dialog = at.page.getByRole('dialog', { name: 'Move About' })
    await dialog.getByRole('radio', { name: 'Home' }).check()
    await dialog.getByRole('radio', { name: 'First in' }).check()
    await dialog.getByRole('button', { name: 'Move', exact: true }).click()
    await expect.poll(async () => (await titles('_home'))[0]).toBe('About')
  })

  test('says why something is off, and fits a phone', async () => {
    const at = await desk('contributor')
    await at.page.setViewportSize({ width: 360, height: 740 })
    await at.open('/pages')
    await row(at, 'About').getByRole('button', { name: 'More actions: About' }).click()
    const archive = at.page.getByRole('menuitem', { name: 'Archive' })
    await expect.poll(() => archive.getAttribute('aria-disabled')).toBe('true')
    await archive.getByText('Only editors may do this.').waitFor()
    await expectAccessible(at.page, 'the tree on a phone')
    const width = await at.page.evaluate(() => document.documentElement.scrollWidth)
    expect(width).toBeLessThanOrEqual(360)
  })

  test('a page below a draft is published together with it; its address follows the slug', async () => {
    const draft = await made('Unpublished', '_home', 'aposMode=draft')
    const below = await made('Below it', draft, 'aposMode=draft')
    const at = await desk('editor')
    await at.open(`/pages/${below}`)
    await at.page.getByRole('heading', { level: 1, name: 'Below it' }).waitFor()
    const bar = at.page.getByRole('region', { name: 'Publishing' })
    await bar.getByRole('button', { name: 'Publish', exact: true }).click()
    const dialog = at.page.getByRole('dialog')
    await dialog.getByText('Unpublished must be published first.').waitFor()
    await dialog.getByRole('button', { name: 'Publish all of them' }).click()
    await bar.getByText('Published').waitFor()
    expect((await service.admin.get(`@cms/page/${draft}`)).status).toBe(200)
    await at.page.getByRole('textbox', { name: 'Slug' }).fill('/unpublished/other')
    await bar.getByText('1 change').waitFor()
    await bar.getByRole('button', { name: 'Publish', exact: true }).click()
    await bar.getByText('Published').waitFor()
    expect((await service.admin.get(`@cms/page/${below}`)).body.slug).toBe('/unpublished/other')
  })

  test('an archived page opens, and is restored from there', async () => {
    const gone = await made('Gone')
    await service.admin.patch(`@cms/page/${gone}`, { _targetId: '_archive', _position: 'lastChild' })
    const at = await desk('editor')
    await at.open(`/pages/${gone}`)
    const bar = at.page.getByRole('region', { name: 'Publishing' })
    await bar.getByText('Archived').waitFor()
    await bar.getByRole('button', { name: 'More actions' }).click()
    await at.page.getByRole('menuitem', { name: 'Restore' }).click()
    await expect.poll(() => titles('_home')).toContain('Gone')
  })
})

/** Published pages below another one, in one transaction. */
async function fill({ app }: Service, parent: string, count: number): Promise<void> {
  const type = app.site.types.get('text-page')
  if (type === undefined) throw new Error('The site has no text-page.')
  await write(app.context({ kind: 'operator' }), async (ctx) => {
    for (let number = 0; number < count; number += 1) {
      const target = treeTarget(parent, 'lastChild')
      const page = { docId: newId(), locale: 'en', mode: 'published', type, target } as const
      await insertPage(ctx, page, { title: `Page ${number}`, intro: 'Words' })
    }
  })
}

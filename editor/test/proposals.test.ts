import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { describeEditor, expectAccessible } from './editor.ts'

const PROPOSAL = '@cms/proposal'

describeEditor('§11 editor: proposals', {}, ({ service, desk }) => {
  const make = async (title: string, fields: object = {}): Promise<string> =>
    (await service.editor.post('article', { title, ...fields }, 'aposMode=draft')).body.aposDocId
  const propose = async (docId: string, title: string, patch: object): Promise<string> => {
    const answer = await service.ai.post(PROPOSAL, {
      docId: `${docId}:en:draft`,
      title,
      reason: 'It reads better.',
      patch,
    })
    expect(answer).toMatchObject({ status: 200 })
    return answer.body._id
  }
  const draftOf = async (docId: string) => (await service.editor.get(`article/${docId}:en:draft`)).body
  const row = (page: Page, place: string) =>
    page.getByRole('listitem').filter({ has: page.getByText(place, { exact: true }) })

  it('leads from the menu, from Home and from the document to a proposal', async () => {
    const docId = await make('Oak galls')
    const { page, open } = await desk('editor')
    const menu = page.getByRole('navigation', { name: 'Main' })
    await menu.getByRole('link', { name: 'Activity' }).waitFor()
    expect(await menu.getByRole('link', { name: 'Proposals' }).count()).toBe(0)
    await propose(docId, 'A better title', { title: 'Ink of oak galls' })
    await open('')
    await menu.getByRole('link', { name: 'Proposals 1' }).waitFor()
    await page.getByRole('region', { name: 'Proposals' }).getByRole('link', { name: 'A better title' }).waitFor()
    await open(`/content/article/${docId}?locale=en`)
    await page.getByText('1 proposal waits').waitFor()
    await page.getByRole('region', { name: 'Proposals' }).getByRole('link', { name: 'A better title' }).click()
    await page.getByRole('heading', { level: 1, name: 'A better title' }).waitFor()
    await page.getByText('Proposed by AI key').waitFor()
    await page.getByText('It reads better.').waitFor()
    await menu.getByRole('link', { name: /Proposals/ }).click()
    await page.getByRole('list', { name: 'Proposals' }).getByRole('link', { name: 'A better title' }).waitFor()
  })

  it('accepts and refuses rows by keyboard, one after another', async () => {
    const docId = await make('Wells')
    const id = await propose(docId, 'Several', { title: 'Deep wells', slug: 'deep-wells' })
    const { page, open } = await desk('editor')
    await open(`/proposals/${id}`)
    await row(page, 'Title').getByRole('button', { name: 'Accept', exact: true }).focus()
    await page.keyboard.press('Enter')
    await row(page, 'Title').getByText('Accepted by The editor.').waitFor()
    const refuse = row(page, 'Slug').getByRole('button', { name: 'Refuse' })
    await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('Accept')
    await page.keyboard.press('Tab')
    if (!(await refuse.evaluate((one) => one === document.activeElement))) await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await row(page, 'Slug').getByText('Refused by The editor.').waitFor()
    expect(await draftOf(docId)).toMatchObject({ title: 'Deep wells', slug: 'wells' })
    expect((await service.ai.get(`${PROPOSAL}/${id}`)).body.state).toBe('partial')
  })

  it('accepts all but what has changed meanwhile, which it shows', async () => {
    const docId = await make('Bridges')
    const id = await propose(docId, 'Both', { title: 'Old bridges', slug: 'old-bridges' })
    await service.editor.patch(`article/${docId}:en:draft`, { title: 'New bridges', slug: 'bridges' })
    const { page, open } = await desk('editor')
    await open(`/proposals/${id}`)
    await row(page, 'Title').getByText('This place has changed since it was proposed. Now there is:').waitFor()
    await row(page, 'Title').getByText('New bridges', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Accept all', exact: true }).click()
    await row(page, 'Slug').getByText('Accepted by The editor.').waitFor()
    expect(await draftOf(docId)).toMatchObject({ title: 'New bridges', slug: 'old-bridges' })
    await row(page, 'Title').getByRole('button', { name: 'Accept anyway' }).click()
    await row(page, 'Title').getByText('Accepted by The editor.').waitFor()
    expect((await draftOf(docId)).title).toBe('Old bridges')
  })

  it('accepts a text with another value, and refuses all with a reason', async () => {
    const docId = await make('Rivers')
    const id = await propose(docId, 'One', { title: 'Long rivers' })
    const { page, open } = await desk('editor')
    await open(`/proposals/${id}`)
    await row(page, 'Title').getByRole('button', { name: 'Change…' }).click()
    await page.getByRole('dialog').getByRole('textbox').fill('Short rivers')
    await page.getByRole('button', { name: 'Accept this' }).click()
    await row(page, 'Title').getByText('with another value').waitFor()
    expect((await draftOf(docId)).title).toBe('Short rivers')
    const other = await propose(docId, 'Two', { title: 'Rivers again' })
    await open(`/proposals/${other}`)
    await page.getByRole('button', { name: 'Refuse all' }).click()
    await page.getByRole('textbox', { name: 'Reason' }).fill('It was better before.')
    await page.getByRole('dialog').getByRole('button', { name: 'Refuse', exact: true }).click()
    await row(page, 'Title').getByText('It was better before.').waitFor()
    expect((await service.ai.get(`${PROPOSAL}/${other}`)).body.rows[0].refusal).toBe('It was better before.')
  })

  it('tells the second of two people what the first one has decided', async () => {
    const docId = await make('Roads')
    const id = await propose(docId, 'One', { title: 'Long roads' })
    const [one, other] = await Promise.all([desk('editor'), desk('admin')])
    await Promise.all([one.open(`/proposals/${id}`), other.open(`/proposals/${id}`)])
    const acceptAll = { name: 'Accept all', exact: true } as const
    await other.page.getByRole('button', acceptAll).waitFor()
    await one.page.getByRole('button', acceptAll).click()
    await row(one.page, 'Title').getByText('Accepted by The editor.').waitFor()
    await other.page.getByRole('button', acceptAll).click()
    await other.page.getByText('The editor has accepted this proposal. Read it again.').first().waitFor()
    await row(other.page, 'Title').getByText('Accepted by The editor.').waitFor()
  })

  it('shows a contributor what somebody with more rights decides', async () => {
    const id = await propose(await make('Hills'), 'One', { title: 'High hills' })
    const { page, open } = await desk('contributor')
    await open(`/proposals/${id}`)
    await page.getByText('somebody with more rights decides').waitFor()
    expect(await page.getByRole('button', { name: 'Accept all' }).count()).toBe(0)
  })

  it('is accessible: light, dark, narrow, and from right to left', async () => {
    const id = await propose(await make('Trees'), 'New words', {
      title: 'Old\u200b trees https://new.example',
      slug: 'old-trees',
    })
    const { page, open } = await desk('editor')
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      await open('/proposals')
      await page.getByRole('link', { name: 'New words' }).waitFor()
      await expectAccessible(page, `the list, ${colorScheme}`)
      await open(`/proposals/${id}`)
      await page.getByText('Look at this before you accept it').waitFor()
      await expectAccessible(page, `a proposal, ${colorScheme}`)
    }
    await page.setViewportSize({ width: 360, height: 740 })
    await expectAccessible(page, 'a proposal, narrow')
    const isWide = () =>
      page.evaluate(() => document.documentElement.scrollWidth > document.documentElement.clientWidth)
    expect(await isWide()).toBe(false)
    await page.evaluate(() => document.documentElement.setAttribute('dir', 'rtl'))
    await expectAccessible(page, 'a proposal, from right to left')
    expect(await isWide()).toBe(false)
  })
})

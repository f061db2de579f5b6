import { defineSite, piece } from 'quire-cms'
import { beforeAll, expect, test } from 'vitest'
import type { Context } from '../../cms/src/engine/context.ts'
import { carryOutDue } from '../../cms/src/features/scheduling/feature.ts'
import { type Desk, describedBy, describeEditor, expectAccessible } from './editor.ts'
import { expectFits } from './looks.ts'

const LISBON = 'Europe/Lisbon'
const YEAR = new Date().getFullYear() + 2
const lastSunday = (month: number) => {
  const last = new Date(Date.UTC(YEAR, month + 1, 0))
  return new Date(last.getTime() - last.getUTCDay() * 86_400_000).toISOString().slice(0, 10)
}
/** In Lisbon, clocks are put forward at one on this day. */
const SPRING = lastSunday(2)

const site = defineSite({
  name: 'Ink',
  types: [
    piece('news', { scheduling: true, fields: { add: { text: { type: 'string', required: true } } } }),
    piece('plain', {}),
  ],
})

describeEditor('§37 times', { site }, ({ service, desk }) => {
  let at: Desk
  const bar = (page = at.page) => page.getByRole('region', { name: 'Publishing' })
  const dialog = () => at.page.getByRole('dialog', { name: 'Schedule' })
  const more = async (item: string, page = at.page) => {
    await bar(page).getByRole('button', { name: 'More actions' }).click()
    return page.getByRole('menuitem', { name: item, exact: true })
  }
  const made = async (title: string, body: object = {}) =>
    (await service.editor.post('news', { title, text: 'x', ...body }, 'aposMode=draft')).body.aposDocId as string
  const draft = async (id: string) => (await service.editor.get(`news/${id}:en:draft`, 'archived=any')).body
  /** What is due at a moment, as the service does it by itself. */
  const passes = (moment: string) => {
    const ctx: Context = { ...service.app.context({ kind: 'operator' }), now: () => new Date(moment) }
    return carryOutDue(ctx, new AbortController().signal)
  }
  const schedule = async (publishAt: string, archiveAt?: string) => {
    await dialog().getByLabel('Publish at').fill(publishAt)
    if (archiveAt !== undefined) await dialog().getByLabel('Archive at').fill(archiveAt)
    await dialog().getByRole('button', { name: 'Schedule', exact: true }).click()
  }

  beforeAll(async () => {
    at = await desk('editor', undefined, LISBON)
  })

  test('a document is scheduled, with what was just written, changed, cancelled, and done in time', async () => {
    const id = await made('Moss')
    await at.open(`/content/news/${id}`)
    await at.page.getByRole('textbox', { name: 'Text' }).fill('Written a moment ago')
    await (await more('Schedule')).click()
    await dialog().getByText('Time zone: Europe/Lisbon.').first().waitFor()
    await expectAccessible(at.page, 'the dialog of times')
    await schedule(`${YEAR}-07-01T08:00`, `${YEAR}-08-01T08:30`)
    await bar()
      .getByText(/^goes live .*1 Jul.* 08:00 \(Europe\/Lisbon\)$/)
      .waitFor()
    await bar()
      .getByText(/^goes into the archive .*1 Aug.* 08:30 \(Europe\/Lisbon\)$/)
      .waitFor()
    await expectFits(at.page, 'a document with both times')
    const { x = 0, width = 0 } =
      (await bar()
        .getByText(/^goes into the archive/)
        .boundingBox()) ?? {}
    expect(x + width).toBeLessThanOrEqual(320)
    await at.page.setViewportSize({ width: 1280, height: 900 })
    expect(await draft(id)).toMatchObject({
      text: 'Written a moment ago',
      publishAt: `${YEAR}-07-01T07:00:00.000Z`,
      archiveAt: `${YEAR}-08-01T07:30:00.000Z`,
    })
    await (await more('Change schedule')).click()
    await expect.poll(() => dialog().getByLabel('Publish at').inputValue()).toBe(`${YEAR}-07-01T08:00`)
    await schedule(`${YEAR}-01-02T08:00`)
    await bar()
      .getByText(/^goes live .*2 Jan/)
      .waitFor()
    expect(await draft(id)).toMatchObject({
      publishAt: `${YEAR}-01-02T08:00:00.000Z`,
      archiveAt: `${YEAR}-08-01T07:30:00.000Z`,
    })
    await (await more('Cancel schedule')).click()
    await at.page.getByText('The schedule of “Moss” is cancelled.').first().waitFor()
    await expect.poll(() => bar().getByText(/^goes/).count()).toBe(0)
    expect(await draft(id)).toMatchObject({ publishAt: null, archiveAt: null, lastPublishedAt: null })
    await (await more('Schedule')).click()
    await schedule(`${YEAR}-07-01T08:00`)
    await bar()
      .getByText(/^goes live/)
      .waitFor()
    await passes(`${YEAR}-07-01T07:00:01Z`)
    await at.page.reload()
    await bar().getByText('✓ Published').waitFor()
    expect(
      await bar()
        .getByText(/^goes live/)
        .count(),
    ).toBe(0)
  })

  test('a time is said in the zone of the reader, and how far away it is', async () => {
    const inFour = new Date(Math.floor(Date.now() / 60_000) * 60_000 + 4 * 86_400_000 + 60_000)
    const id = await made('Far', { publishAt: `${YEAR}-07-01T22:30:00Z` })
    const far = await desk('editor', undefined, 'Asia/Tokyo')
    await far.open(`/content/news/${id}`)
    await bar(far.page)
      .getByText(/^goes live .*2 Jul.* 07:30 \(Asia\/Tokyo\)$/)
      .waitFor()
    await (await more('Change schedule', far.page)).click()
    const field = far.page.getByRole('dialog', { name: 'Schedule' }).getByLabel('Publish at')
    await expect.poll(() => field.inputValue()).toBe(`${YEAR}-07-02T07:30`)
    await field.fill(new Date(inFour.getTime() + 9 * 3_600_000).toISOString().slice(0, 16))
    expect(await describedBy(field)).toContain('Time zone: Asia/Tokyo. That is in 4 days.')
    await far.page.getByRole('dialog').getByRole('button', { name: 'Schedule', exact: true }).click()
    await expect.poll(async () => (await draft(id)).publishAt).toBe(inFour.toISOString())
  })

  test('times that have passed, that clocks skip or that are in the wrong order are refused before they are sent', async () => {
    const id = await made('Refused')
    await at.open(`/content/news/${id}`)
    const sent: string[] = []
    at.page.on('request', (request) => sent.push(request.method()))
    await (await more('Schedule')).click()
    const off = dialog().getByRole('button', { name: 'Schedule', exact: true })
    await expect.poll(() => off.getAttribute('aria-disabled')).toBe('true')
    const refused = async (words: string, ...times: [string, string?]) => {
      await schedule(...times)
      await dialog().getByRole('listitem').getByText(words).waitFor()
    }
    await refused('This time has passed.', '2020-01-01T08:00')
    await refused('Clocks are put forward over this time', `${SPRING}T01:30`)
    await refused('This must be later than the time of publishing.', `${YEAR}-07-02T08:00`, `${YEAR}-07-01T08:00`)
    await expectFits(at.page, 'the dialog of times')
    await at.page.setViewportSize({ width: 1280, height: 900 })
    expect(sent.filter((method) => method === 'PATCH')).toEqual([])
    expect(await draft(id)).toMatchObject({ publishAt: null, archiveAt: null })
    await schedule(`${SPRING}T02:30`, `${YEAR}-07-01T08:00`)
    await expect.poll(async () => (await draft(id)).publishAt).toBe(`${SPRING}T01:30:00.000Z`)
  })

  test('what could not be done is shown on Home and at the document, until another time is set', async () => {
    await made('Unfinished', { text: '', _incomplete: true, publishAt: new Date(Date.now() + 3_600_000) })
    await passes(new Date(Date.now() + 3_700_000).toISOString())
    const card = at.page.getByRole('region', { name: 'Scheduled, and could not be done' })
    await at.open('/')
    await expectAccessible(at.page, 'Home with a schedule that failed')
    await card.getByRole('link', { name: 'Unfinished' }).click()
    await bar().getByText('and could not: Some fields need your attention').waitFor()
    await expectFits(at.page, 'a schedule that failed')
    await at.page.setViewportSize({ width: 1280, height: 900 })
    await (await more('Schedule')).click()
    await schedule(`${YEAR}-07-01T08:00`)
    await bar()
      .getByText(/^goes live/)
      .waitFor()
    expect(await bar().getByText('could not').count()).toBe(0)
    await at.open('/')
    await at.page.getByRole('region', { name: 'Changed lately' }).getByRole('link', { name: 'Unfinished' }).waitFor()
    expect(await card.count()).toBe(0)
  })

  test('who may not publish is told why; types without times have none', async () => {
    const id = await made('For editors')
    const { page, open } = await desk('contributor')
    await open(`/content/news/${id}`)
    await bar(page).getByRole('button', { name: 'More actions' }).click()
    const item = page.getByRole('menuitem', { name: 'Schedule' })
    await expect.poll(() => item.getAttribute('aria-disabled')).toBe('true')
    expect(await describedBy(item)).toContain('Only editors may do this.')
    const plain = (await service.editor.post('plain', { title: 'Plain' })).body.aposDocId
    await at.open(`/content/plain/${plain}`)
    expect(await (await more('Archive')).count()).toBe(1)
    expect(await at.page.getByRole('menuitem', { name: 'Schedule' }).count()).toBe(0)
  })
})

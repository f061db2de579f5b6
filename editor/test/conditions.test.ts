import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { defineSite, piece } from '../../cms/src/index.ts'
import { type Desk, describeEditor } from './editor.ts'

const choices = ['talk', 'walk', 'trip']

const site = defineSite({
  types: [
    piece('event', {
      label: 'Event',
      fields: {
        add: {
          kind: { type: 'select', label: 'Kind', choices },
          isPaid: { type: 'boolean', label: 'Paid' },
          price: { type: 'integer', label: 'Price', required: true, if: { isPaid: true } },
          discount: { type: 'integer', label: 'Discount', if: { isPaid: true, price: [10, 20] } },
          boots: { type: 'string', label: 'Boots', if: { $or: [{ kind: 'walk' }, { kind: 'trip', isPaid: true }] } },
          stops: {
            type: 'array',
            label: 'Stops',
            fields: {
              add: {
                isMeal: { type: 'boolean', label: 'Meal' },
                dish: { type: 'string', label: 'Dish', if: { isMeal: true } },
              },
            },
          },
          place: {
            type: 'object',
            label: 'Place',
            fields: {
              add: {
                isAbroad: { type: 'boolean', label: 'Abroad' },
                country: { type: 'string', label: 'Country', if: { isAbroad: true } },
              },
            },
          },
        },
      },
    }),
  ],
})

describeEditor('editor: conditions', { site }, ({ service, desk }) => {
  let editor: Desk
  let page: Page
  beforeAll(async () => {
    editor = await desk('editor')
    page = editor.page
    await editor.open('/content/event/new')
    await field('Title').fill('Outing')
  })
  const field = (name: string) => page.getByLabel(name, { exact: true })
  const isShown = (name: string) => field(name).isVisible()
  const stored = async () => (await service.editor.get('event', 'aposMode=draft&title=Outing')).body.results[0]

  test('§11 editor 14 a field is there while all its conditions hold; what it had is there again', async () => {
    expect(await isShown('Price')).toBe(false)
    await field('Paid').check()
    await field('Price').fill('10')
    await field('Discount').fill('3')
    await expect.poll(stored).toMatchObject({ isPaid: true, price: 10, discount: 3 })
    await field('Paid').uncheck()
    await field('Price').waitFor({ state: 'detached' })
    await expect.poll(() => isShown('Discount')).toBe(false)
    await expect.poll(async () => (await stored()).isPaid).toBe(false)
    await field('Paid').check()
    await expect.poll(() => field('Price').inputValue()).toBe('10')
  })

  test('§11 editor 14 one of several conditions is enough', async () => {
    await field('Paid').uncheck()
    await field('Kind').selectOption('trip')
    expect(await isShown('Boots')).toBe(false)
    await field('Paid').check()
    await field('Boots').fill('Stout')
    await field('Paid').uncheck()
    await field('Boots').waitFor({ state: 'detached' })
    await field('Kind').selectOption('walk')
    await expect.poll(() => field('Boots').inputValue()).toBe('Stout')
    await expect.poll(stored).toMatchObject({ kind: 'walk', isPaid: false, boots: 'Stout' })
  })

  test('§11 editor 14 conditions within items and objects are about their own neighbours', async () => {
    const stops = page.getByRole('group', { name: 'Stops', exact: true })
    await stops.getByRole('button', { name: 'Add to Stops' }).click()
    await stops.getByRole('button', { name: 'Add to Stops' }).click()
    await stops.getByLabel('Meal').nth(1).check()
    await expect.poll(() => field('Dish').count()).toBe(1)
    await field('Dish').fill('Soup')
    expect(await isShown('Country')).toBe(false)
    await field('Abroad').check()
    await field('Country').fill('Portugal')
    await expect.poll(stored).toMatchObject({
      stops: [{ isMeal: false }, { isMeal: true, dish: 'Soup' }],
      place: { isAbroad: true, country: 'Portugal' },
    })
  })

  test('§11 editor 14 what is hidden keeps nobody from publishing', async () => {
    expect(await isShown('Price')).toBe(false)
    await page.getByRole('region', { name: 'Publishing' }).getByRole('button', { name: 'Publish' }).click()
    await page
      .getByText(/” is published\.$/)
      .first()
      .waitFor()
  })
})

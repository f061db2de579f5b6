import type { Locator, Page } from 'playwright-core'
import { defineSite, piece } from 'quire-cms'
import { beforeAll, expect, test } from 'vitest'
import { picture } from '../../cms/test/file-bytes.ts'
import { upload } from '../../cms/test/media.ts'
import { focused } from './by-keyboard.ts'
import { type Desk, describedBy, describeEditor } from './editor.ts'
import { expectFits } from './looks.ts'

const site = defineSite({
  name: 'Pictures',
  locales: { en: { label: 'English' }, ar: { label: 'Arabic', prefix: '/ar', direction: 'rtl' } },
  types: [
    piece('note', {
      label: 'Note',
      fields: { add: { _pictures: { type: 'relationship', withType: '@cms/image', label: 'Pictures' } } },
    }),
  ],
})

describeEditor('Parts of pictures', { site }, ({ service, desk }) => {
  let editor: Desk
  let page: Page
  let note: string
  let images: Readonly<Record<'town' | 'drawing' | 'dot', string>>
  const dialog = () => page.getByRole('dialog', { name: /^Crop and focal point of/ })
  const button = (name: string) => dialog().getByRole('button', { name, exact: true })
  const slider = (name: string) => dialog().getByRole('slider', { name, exact: true })
  const number = (name: string) => dialog().getByRole('textbox', { name, exact: true })
  const numbers = async () => {
    const names = ['Left', 'Top', 'Width', 'Height'] as const
    return Promise.all(names.map(async (name) => Number(await number(name).inputValue())))
  }
  const open = (title: string) => page.getByRole('button', { name: `Crop and focal point of ${title}` }).click()
  const said = async () => {
    const { body } = await service.editor.get(`note/${note}`, 'aposMode=draft')
    return body._pictures.find(({ aposDocId }: { aposDocId: string }) => aposDocId === images.town)
  }
  const imageOf = async (title: string, name: string, bytes: Buffer) => {
    const { body: attachment } = await upload(service, 'editor', bytes, name)
    return (await service.editor.post('@cms/image', { title, attachment })).body.aposDocId
  }
  const drag = async (from: Locator, by: { x: number; y: number }) => {
    const box = await from.boundingBox()
    if (box === null) throw new Error('It is not on the screen.')
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2]
    await page.mouse.move(x, y)
    await page.mouse.down()
    await page.mouse.move(x + by.x, y + by.y, { steps: 4 })
    await page.mouse.up()
  }
  const openNote = async (locale = 'en') => {
    await page.setViewportSize({ width: 1280, height: 900 })
    await editor.open(`/content/note/${note}?locale=${locale}`)
    await page.getByRole('heading', { level: 1, name: 'Walks' }).waitFor()
  }

  beforeAll(async () => {
    const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="90" height="60"><rect width="90" height="60"/></svg>'
    images = {
      town: await imageOf('Town', 'old-photo.png', await picture(400, 200).png().toBuffer()),
      drawing: await imageOf('Drawing', 'drawing.svg', Buffer.from(svg)),
      dot: await imageOf('Dot', 'dot.png', await picture(6, 6).png().toBuffer()),
    }
    const chosen = Object.values(images).map((_id) => ({ _id }))
    note = (await service.editor.post('note', { title: 'Walks', _pictures: chosen }, 'aposMode=draft')).body.aposDocId
    await service.editor.post(`note/${note}:en:draft/localize`, { toLocale: 'ar' })
    editor = await desk('editor')
    page = editor.page
  })

  test('4.6 a part is chosen by keys and numbers, kept for this place alone, and taken back as one change', async () => {
    await openNote()
    await open('Town')
    await expect.poll(() => button('Whole picture').getAttribute('aria-disabled')).toBe('true')
    await slider('Left edge').press('ArrowRight')
    await slider('Left edge').press('Shift+ArrowRight')
    await expect.poll(() => slider('Left edge').getAttribute('aria-valuenow')).toBe('5')
    await expect.poll(() => slider('Left edge').getAttribute('aria-valuetext')).toBe('5 pixels')
    await slider('Bottom edge').press('ArrowUp')
    expect(await numbers()).toEqual([5, 0, 395, 198])
    await number('Width').fill('200')
    await number('Height').fill('100')
    await number('Top').fill('40')
    await number('Top').press('Enter')
    expect(await numbers()).toEqual([5, 40, 200, 100])
    await slider('Part that is shown').press('ArrowRight')
    await expect
      .poll(() => slider('Part that is shown').getAttribute('aria-valuetext'))
      .toBe('9 pixels from the left, 40 from the top')
    await slider('Focal point').press('ArrowRight')
    await slider('Focal point').press('ArrowUp')
    await expect
      .poll(() => slider('Focal point').getAttribute('aria-valuetext'))
      .toBe('51 % from the left, 49 % from the top')
    await button('Use').click()
    await page.getByText('Shows 200 × 100 pixels of it').waitFor()
    await expect
      .poll(async () => (await said())._fields)
      .toEqual({ left: 9, top: 40, width: 200, height: 100, x: 51, y: 49 })
    expect((await said()).attachment._crop).toEqual({ left: 9, top: 40, width: 200, height: 100 })
    const { body } = await service.editor.get(`@cms/image/${images.town}`)
    expect(body.attachment._crop).toBeUndefined()
    await page.getByRole('button', { name: /^Undo/ }).click()
    await expect.poll(async () => (await said())._fields.left ?? null).toBe(null)
    await page.getByRole('button', { name: /^Redo/ }).click()
    await expect.poll(async () => (await said())._fields.left).toBe(9)
  })

  test('4.6 the pointer moves edges, corners, the part and the focal point; each is a step that Undo takes back', async () => {
    await openNote()
    await open('Town')
    await button('Whole picture').click()
    expect(await numbers()).toEqual([0, 0, 400, 200])
    const edge = slider('Right edge')
    await drag(edge, { x: -60, y: 0 })
    const [, , narrower = 0] = await numbers()
    expect(narrower).toBeLessThan(400)
    await drag(dialog().locator('[data-handle="left top"]'), { x: 40, y: 30 })
    const [left = 0, top = 0, width = 0] = await numbers()
    expect([left > 0, top > 0, left + width]).toEqual([true, true, narrower])
    const before = await number('Focus from the left, %').inputValue()
    await drag(slider('Focal point'), { x: 30, y: 0 })
    expect(Number(await number('Focus from the left, %').inputValue())).toBeGreaterThan(Number(before))
    await button('Undo').click()
    await expect.poll(() => number('Focus from the left, %').inputValue()).toBe(before)
    await button('Undo').click()
    await button('Undo').click()
    expect(await numbers()).toEqual([0, 0, 400, 200])
    await button('Undo').click()
    expect(await numbers()).toEqual([9, 40, 200, 100])
    await expect.poll(() => button('Undo').getAttribute('aria-disabled')).toBe('true')
    expect(await describedBy(button('Undo'))).toBe('Nothing was changed yet.')
    await button('Cancel').click()
    expect((await said())._fields).toMatchObject({ left: 9, width: 200 })
  })

  test('4.6 a shape is kept by edges, keys and numbers; the previews show what other shapes leave of it', async () => {
    await openNote()
    await open('Town')
    await dialog().getByRole('radio', { name: '1:1' }).check()
    const [, , width = 0, height = 0] = await numbers()
    expect(width).toBe(height)
    await slider('Right edge').press('ArrowLeft')
    const [, , after = 0, high = 0] = await numbers()
    expect([after, high]).toEqual([width - 4, width - 4])
    await number('Height').fill('60')
    await number('Height').press('Enter')
    expect((await numbers()).slice(2)).toEqual([60, 60])
    await dialog().getByRole('radio', { name: '16:9' }).check()
    const [, , wide = 0, low = 0] = await numbers()
    expect(wide / low).toBeCloseTo(16 / 9, 1)
    for (const name of ['Wide', 'Square', 'Tall']) {
      const shown = await dialog().getByRole('img', { name }).getAttribute('viewBox')
      const [, , seenWidth = 0, seenHeight = 0] = (shown ?? '').split(' ').map(Number)
      expect({ name, isInside: seenWidth <= wide && seenHeight <= low }).toEqual({ name, isInside: true })
    }
    await button('Cancel').click()
  })

  test('4.6 what cannot be cropped says why; its focal point can be set', async () => {
    await openNote()
    await open('Drawing')
    await dialog().getByText('SVG files cannot be cropped. The focal point can be set.').waitFor()
    expect(await slider('Left edge').count()).toBe(0)
    await slider('Focal point').press('ArrowLeft')
    await button('Use').click()
    const focus = async () => {
      const { body } = await service.editor.get(`note/${note}`, 'aposMode=draft')
      return body._pictures.find(({ aposDocId }: { aposDocId: string }) => aposDocId === images.drawing)._fields
    }
    await expect.poll(async () => (await focus()).x).toBe(49)
    await open('Dot')
    await dialog().getByText('With 6 × 6 pixels the picture is too small to be cropped.').waitFor()
    await button('Cancel').click()
  })

  test('9 a replaced file is shown whole, which is said before and at the place that showed a part', async () => {
    await openNote()
    await page.getByText('Shows 200 × 100 pixels of it').waitFor()
    await editor.open(`/content/${encodeURIComponent('@cms/image')}/${images.town}`)
    await page.getByText('Where only a part of it was shown, all of the new one is').waitFor()
    const choosing = page.waitForEvent('filechooser')
    await page.getByRole('button', { name: 'Replace' }).click()
    const buffer = await picture(300, 300).png().toBuffer()
    await (await choosing).setFiles([{ name: 'square.png', mimeType: 'image/png', buffer }])
    await page.getByRole('link', { name: 'square.png' }).waitFor()
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await expect.poll(async () => (await said()).attachment.name).toBe('square')
    expect((await said()).attachment._crop).toBeUndefined()
    await openNote()
    await page.getByText('all of it is shown, until a part is chosen again.').waitFor()
    await open('Town')
    expect(await numbers()).toEqual([0, 0, 300, 300])
    await number('Width').fill('150')
    await number('Width').press('Enter')
    await button('Use').click()
    await expect.poll(async () => (await said()).attachment._crop).toEqual({ left: 0, top: 0, width: 150, height: 300 })
    expect(await page.getByText('until a part is chosen again.').count()).toBe(0)
  })

  test('20 a picture is pasted, a slow one cancelled; what came is cropped, and its focal point set by keys', async () => {
    await openNote()
    const group = page.getByRole('group', { name: 'Pictures' })
    const paste = (name: string, bytes: Buffer) =>
      group.getByRole('button', { name: 'Upload' }).evaluate(
        (target, [fileName, base64]) => {
          const data = new DataTransfer()
          const content = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0))
          data.items.add(new File([content], fileName, { type: 'image/png' }))
          const init = { bubbles: true, cancelable: true, clipboardData: data }
          target.dispatchEvent(new ClipboardEvent('paste', init))
        },
        [name, bytes.toString('base64')] as const,
      )
    const { promise: gate, resolve: release } = Promise.withResolvers<void>()
    await page.route('**/attachment/upload', async (route) => {
      await gate
      await route.continue().catch(() => {})
    })
    await paste('slow.png', await picture().png().toBuffer())
    await group.getByRole('progressbar', { name: 'Uploading slow.png' }).waitFor()
    await group.getByRole('button', { name: 'Cancel slow.png' }).click()
    await group.getByText('slow.png was not uploaded.').waitFor()
    release()
    await page.unroute('**/attachment/upload')
    await paste('harbour.png', await picture(200, 100).png().toBuffer())
    await group.getByRole('link', { name: 'Harbour' }).waitFor()
    await open('Harbour')
    await slider('Right edge').focus()
    for (let times = 0; times < 10; times += 1) await page.keyboard.press('ArrowLeft')
    await slider('Focal point').focus()
    await page.keyboard.press('ArrowDown')
    await button('Use').press('Enter')
    await dialog().waitFor({ state: 'detached' })
    expect(await focused(page)).toBe('button "Crop and focal point of Harbour"')
    const last = async () => (await service.editor.get(`note/${note}`, 'aposMode=draft')).body._pictures.at(-1)
    await expect.poll(async () => (await last())._fields).toMatchObject({ width: 180, height: 100, x: 50, y: 51 })
    expect(await focused(page)).toBe('button "Crop and focal point of Harbour"')
  })

  test('16 axe finds nothing in the dialog, also from right to left, where the picture stays as it is', async () => {
    await openNote()
    await open('Town')
    await expectFits(page, 'crop')
    await page.keyboard.press('Escape')
    await openNote('ar')
    await page.evaluate(() => {
      document.documentElement.dir = 'rtl'
    })
    await open('Town')
    const [left = 0] = await numbers()
    await slider('Part that is shown').focus()
    await number('Width').fill('100')
    await number('Width').press('Enter')
    await slider('Part that is shown').press('ArrowRight')
    expect((await numbers())[0]).toBe(left + 4)
    await expectFits(page, 'crop from right to left')
  })
})

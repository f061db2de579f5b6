import type { Page } from 'playwright-core'
import { defineSite, piece } from 'quire-cms'
import { beforeAll, expect, test } from 'vitest'
import { picture } from '../../cms/test/file-bytes.ts'
import { focused } from './by-keyboard.ts'
import { type Desk, describedBy, describeEditor } from './editor.ts'

const site = defineSite({
  name: 'Pictures',
  limits: { uploadBytes: 50_000 },
  types: [
    piece('note', { label: 'Note', fields: { add: { _pictures: { type: 'relationship', withType: '@cms/image' } } } }),
  ],
})

interface Sent {
  readonly name: string
  readonly mimeType: string
  readonly buffer: Buffer
}

describeEditor('The libraries', { site }, ({ service, desk }) => {
  let editor: Desk
  let page: Page
  let bytes: Buffer
  const image = (name: string): Sent => ({ name, mimeType: 'image/png', buffer: bytes })
  const row = (name: string) =>
    page.getByRole('region', { name: 'Uploads' }).getByRole('listitem').filter({ hasText: name })
  const pictures = () => page.getByRole('list', { name: 'Images' }).getByRole('listitem')
  const titled = (title: string) => pictures().filter({ hasText: title })

  const upload = async (files: readonly Sent[]) => {
    const choosing = page.waitForEvent('filechooser')
    await page.getByRole('button', { name: 'Upload', exact: true }).click()
    await (await choosing).setFiles([...files])
  }
  /** Hands files over as dragging or the clipboard do. */
  const handOver = (kind: 'drop' | 'paste', name: string) =>
    page.evaluate(
      ([event, fileName, base64]) => {
        const data = new DataTransfer()
        const content = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0))
        data.items.add(new File([content], fileName, { type: 'image/png' }))
        const init = { bubbles: true, cancelable: true }
        if (event === 'drop') document.body.dispatchEvent(new DragEvent('drop', { ...init, dataTransfer: data }))
        else document.body.dispatchEvent(new ClipboardEvent('paste', { ...init, clipboardData: data }))
      },
      [kind, name, bytes.toString('base64')] as const,
    )
  const stored = async (title: string) =>
    (await service.editor.get('@cms/image', `aposMode=draft&title=${encodeURIComponent(title)}`)).body.results[0]

  beforeAll(async () => {
    bytes = await picture().png().toBuffer()
    editor = await desk('editor')
    page = editor.page
  })

  test('9 pictures come by button, dropped and pasted; each is live, named after its file', async () => {
    await editor.open('/media/images')
    await page.getByText('No Images yet').waitFor()
    await upload([image('old_town.png'), image('the-bell.png')])
    await titled('Old town').waitFor()
    await titled('The bell').getByText('Published').waitFor()
    await expect.poll(() => focused(page)).toMatch(/^textbox "Alternative text of /)
    await handOver('drop', 'dropped.png')
    await titled('Dropped').waitFor()
    await handOver('paste', 'pasted.png')
    await titled('Pasted').waitFor()
    await expect.poll(() => pictures().count()).toBe(4)
    await page.getByText('4 files were uploaded.').first().waitFor()
    expect(await stored('Old town')).toMatchObject({ slug: 'image-old-town', modified: false })
  })

  test('9 alternative texts are asked for one after the other, and saved when the field is left', async () => {
    const strip = page.getByRole('region', { name: 'Alternative texts' })
    await strip.getByLabel('Alternative text of Old town').fill('Roofs, one above the other.')
    await page.keyboard.press('Tab')
    await page.keyboard.type('A bell in a tower.')
    await page.keyboard.press('Tab')
    await expect.poll(() => strip.getByText('Saved', { exact: true }).count()).toBe(2)
    expect((await stored('Old town')).alt).toBe('Roofs, one above the other.')
    expect((await stored('The bell')).alt).toBe('A bell in a tower.')
    await expect.poll(() => titled('Old town').getByText('No alternative text').count()).toBe(0)
    await expect.poll(() => titled('Dropped').getByText('No alternative text').count()).toBe(1)
    await strip.getByRole('button', { name: 'Later' }).click()
    expect(await strip.count()).toBe(0)
  })

  test('9 the pictures that nobody has described are found, and so are words', async () => {
    await page.getByRole('button', { name: 'Missing alternative text' }).click()
    await expect.poll(() => pictures().count()).toBe(2)
    await page.getByRole('button', { name: 'Missing alternative text' }).click()
    await expect.poll(() => pictures().count()).toBe(4)
    await page.getByRole('searchbox', { name: 'Search' }).fill('tower')
    await expect.poll(() => pictures().count()).toBe(1)
    await page.getByRole('searchbox', { name: 'Search' }).fill('')
    await page.getByLabel('Sort').selectOption('Title, Z to A')
    await expect.poll(() => pictures().first().innerText()).toContain('The bell')
  })

  test('9 a file of the wrong kind or too large is not sent; the word of the service is final', async () => {
    let sent = 0
    page.on('request', (request) => {
      if (request.url().includes('attachment/upload')) sent += 1
    })
    await page.getByRole('button', { name: 'Clear the list' }).click()
    await upload([
      { name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('Notes') },
      { name: 'large.png', mimeType: 'image/png', buffer: Buffer.alloc(60_000) },
    ])
    await row('notes.txt').getByText('Not taken: only gif, jpg, png, svg, webp, avif.').waitFor()
    await row('large.png').getByText('Not taken: larger than 49 KB.').waitFor()
    expect(sent).toBe(0)
    await upload([{ name: 'broken.png', mimeType: 'image/png', buffer: Buffer.from('No picture') }])
    await row('broken.png').getByText('its content is something else').waitFor()
    expect(sent).toBe(1)
    await expect.poll(() => pictures().count()).toBe(4)
  })

  test('9 an upload is cancelled, and tried again', async () => {
    const { promise: gate, resolve: open } = Promise.withResolvers<void>()
    await page.route('**/attachment/upload', async (route) => {
      await gate
      await route.continue().catch(() => {})
    })
    await page.getByRole('button', { name: 'Clear the list' }).click()
    await upload([image('slow.png')])
    await row('slow.png').getByRole('progressbar').waitFor()
    await row('slow.png').getByRole('button', { name: 'Cancel slow.png' }).click()
    await row('slow.png').getByText('Cancelled').waitFor()
    open()
    await page.unroute('**/attachment/upload')
    await row('slow.png').getByRole('button', { name: 'Try again: slow.png' }).click()
    await titled('Slow').waitFor()
    await row('slow.png').getByText('Done').waitFor()
  })

  test('9 where a picture is used is told, with links', async () => {
    const { aposDocId } = await stored('Old town')
    await service.editor.post('note', { title: 'Walks', _pictures: [{ _id: aposDocId }] })
    await page.getByRole('button', { name: 'Where Old town is used' }).click()
    const dialog = page.getByRole('dialog', { name: 'Where Old town is used' })
    await dialog.getByRole('link', { name: 'Walks' }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Where The bell is used' }).click()
    await page.getByText('No document uses it.').waitFor()
    await page.keyboard.press('Escape')
  })

  test('9 a picture is opened as a form, and its file replaced: a title made of its name follows', async () => {
    await page.getByRole('link', { name: 'Slow', exact: true }).click()
    await page.getByRole('heading', { level: 1, name: 'Slow' }).waitFor()
    const { attachment } = await stored('Slow')
    const choosing = page.waitForEvent('filechooser')
    await page.getByRole('button', { name: 'Replace' }).click()
    await (await choosing).setFiles([image('quick.png')])
    await page.getByRole('link', { name: 'quick.png' }).waitFor()
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await expect.poll(async () => (await stored('Quick'))?.attachment.name).toBe('quick')
    expect((await stored('Quick')).attachment._id).not.toBe(attachment._id)
    await page.getByRole('link', { name: 'Back to Images' }).click()
    await titled('Quick').waitFor()
  })

  test('9 many are archived at once; what failed is listed, and can be tried again', async () => {
    await page.getByRole('checkbox', { name: 'Select Dropped' }).check()
    await page.getByRole('checkbox', { name: 'Select Pasted' }).check()
    const { aposDocId } = await stored('Pasted')
    await service.editor.delete(`@cms/image/${aposDocId}`)
    await page.getByRole('group', { name: '2 selected' }).getByRole('button', { name: 'Archive' }).click()
    const dialog = page.getByRole('dialog', { name: '1 document failed' })
    await dialog.getByText('Pasted').waitFor()
    await dialog.getByRole('button', { name: 'Try these again' }).click()
    await dialog.getByText('Pasted').waitFor()
    await dialog.getByRole('button', { name: 'Close' }).last().click()
    await expect.poll(() => pictures().count()).toBe(3)
    expect(await stored('Dropped')).toBeUndefined()
    await page.getByRole('button', { name: 'Archived' }).click()
    await titled('Dropped').waitFor()
  })

  test('9 a contributor’s pictures are drafts; publishing and archiving say whose they are', async () => {
    const contributor = await desk('contributor')
    page = contributor.page
    await contributor.open('/media/images')
    await upload([image('of a contributor.png')])
    await titled('Of a contributor').getByText('Draft').waitFor()
    await page.getByRole('checkbox', { name: 'Select Of a contributor' }).check()
    for (const name of ['Publish', 'Archive']) {
      const button = page.getByRole('group', { name: '1 selected' }).getByRole('button', { name })
      await expect.poll(() => button.getAttribute('aria-disabled')).toBe('true')
      expect(await describedBy(button)).toBe('Only editors may do this.')
    }
    page = editor.page
  })

  test('9 files are a table, with what they are and how large', async () => {
    await editor.open('/media/files')
    await upload([{ name: 'plan.csv', mimeType: 'text/csv', buffer: Buffer.from('a,b\n1,2\n') }])
    const line = page.getByRole('table', { name: 'Files' }).getByRole('row').filter({ hasText: 'Plan' })
    await line.getByText('CSV, 8 bytes').waitFor()
    const downloading = page.waitForEvent('download')
    await line.getByRole('link', { name: 'Download Plan' }).click()
    expect((await downloading).suggestedFilename()).toContain('plan.csv')
  })
})

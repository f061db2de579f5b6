import { expect, test } from 'vitest'
import { failure } from '../../../test/memory-target.ts'
import { createUploads, type SendFile } from './uploads.ts'

const site = {
  fileGroups: [{ name: 'images', label: 'Images', extensions: ['jpg', 'png'], isImage: true }],
  limits: { uploadBytes: 10, perPage: 50, bodyBytes: 100 },
}
const file = (name: string, bytes = 5) => new File([new Uint8Array(bytes)], name)

test('4.6 three files are sent at once, the others wait; one that waits can be cancelled', async () => {
  const answers: (() => void)[] = []
  const send: SendFile = ({ name }) => new Promise((resolve) => answers.push(() => resolve({ name })))
  const uploads = createUploads(send, site)
  const all = ['a.jpg', 'b.jpg', 'c.jpg', 'd.jpg', 'e.jpg'].map((name) => uploads.add(file(name)))
  const kinds = () => all.map(({ state }) => state.value.kind)
  expect(kinds()).toEqual(['sending', 'sending', 'sending', 'waiting', 'waiting'])
  all[3]?.cancel()
  expect(await all[3]?.ended).toEqual({ kind: 'cancelled' })
  answers[0]?.()
  expect(await all[0]?.ended).toEqual({ kind: 'done', attachment: { name: 'a.jpg' } })
  await expect.poll(kinds).toEqual(['done', 'sending', 'sending', 'cancelled', 'sending'])
})

test('4.6 a file that failed is sent again in its stead', async () => {
  let tries = 0
  const uploads = createUploads(async ({ name }) => {
    tries += 1
    if (tries === 1) throw failure({ name: 'offline' })
    return { name }
  }, site)
  const upload = uploads.add(file('a.jpg'))
  expect(await upload.ended).toMatchObject({ kind: 'failed', failure: { name: 'offline' } })
  expect(await upload.again().ended).toMatchObject({ kind: 'done' })
  expect(uploads.all.value).toHaveLength(1)
})

test('4.6 what the service would not take is not sent', async () => {
  const uploads = createUploads(() => Promise.reject(new Error('It was sent.')), site)
  expect(await uploads.add(file('a.exe')).ended).toEqual({ kind: 'refused', reason: 'kind' })
  expect(await uploads.add(file('A.JPG', 11)).ended).toEqual({ kind: 'refused', reason: 'size' })
  expect(await uploads.add(file('a.png'), ['jpg']).ended).toEqual({ kind: 'refused', reason: 'kind' })
})

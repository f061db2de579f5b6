import { createClient } from '../src/index.ts'
import { upload } from '../src/media.ts'
import type { site } from './site.ts'

/** What a program in a page of the service does; `browser.test.ts` calls it. */
async function work() {
  const quire = createClient<typeof site>({ url: '', session: true })
  await quire.signIn({ username: 'ann', password: 'correct horse battery' })
  const who = await quire.me()
  const { document: topic } = await quire.type('topic').create({ title: 'Ink' })
  const file = document.querySelector('input')?.files?.[0] ?? new Blob()
  let told = 0
  const attachment = await upload(quire, file, {
    onProgress: ({ sent, total }) => {
      told = sent / total
    },
  })
  const abort = new AbortController()
  const cancelled = upload(quire, file, { signal: abort.signal, onProgress: () => {} }).catch(
    (error: Error) => error.name,
  )
  abort.abort()
  const result = {
    who: who?.username,
    title: topic.title,
    uploaded: attachment.name,
    isTold: told === 1,
    cancelled: await cancelled,
  }
  await quire.signOut()
  return { ...result, after: await quire.me() }
}

Object.assign(globalThis, { work })

import { afterAll, expect, test } from 'vitest'
import { HOSTILE_FILES } from '../../../test/hostile-files.ts'
import { fetchFile, keptFiles, upload } from '../../../test/media.ts'
import { sample } from '../../../test/sample.ts'
import { describeService } from '../../../test/service.ts'

/** Content that no file sent to browsers may have. */
const RUNS = /<(?:\w+:)?(?:script|foreignObject|iframe)|\son\w+=|javascript:|evil\.example|<!ENTITY/i

describeService('§4.3 hostile uploads', { isLong: true }, (service) => {
  afterAll(() => expect(service.logged.filter(({ level }) => level === 'error')).toEqual([]))

  test.each(
    sample(
      HOSTILE_FILES.filter((file) => file.expect === 'invalid'),
      12,
    ),
  )('§4.3 refused, and nothing is left: $title', async ({ bytes, name, says }) => {
    const before = [await service.app.store.attachments.count(), (await keptFiles(service)).length]
    const { status, body } = await upload(service, 'contributor', await bytes(), name)
    expect([status, body.name]).toEqual([400, 'invalid'])
    expect(JSON.stringify(body)).toMatch(says ?? /./)
    expect([await service.app.store.attachments.count(), (await keptFiles(service)).length]).toEqual(before)
  })

  test.each(
    sample(
      HOSTILE_FILES.filter((file) => file.expect === 'safe'),
      12,
    ),
  )('§4.3 kept without harm: $title', async ({ bytes, name, is = {} }) => {
    const { status, body } = await upload(service, 'contributor', await bytes(), name)
    expect(status).toBe(200)
    const { name: slug, ...known } = is
    expect(body).toMatchObject(known)
    // In a form, line breaks of names are sent in other signs.
    if (slug !== undefined && !/[\r\n]/.test(name)) expect(body.name).toBe(slug)
    for (const url of new Set([body._url, ...Object.values<string>(body._urls ?? {})])) {
      const response = await fetchFile(service, url)
      expect(response.status).toBe(200)
      expect(response.headers.get('x-content-type-options')).toBe('nosniff')
      expect(response.headers.get('content-security-policy')).toMatch(/sandbox|default-src 'none'/)
      const content = Buffer.from(await response.arrayBuffer())
      if (body.extension === 'svg') expect(content.toString()).not.toMatch(RUNS)
    }
  })
})

import { expect, it } from 'vitest'
import { rowsOf } from '../../../test/consistency.ts'
import { describeService } from '../../../test/service.ts'
import { runWhenDue } from '../../engine/run-jobs.ts'
import { packVersions } from '../../engine/versions/tidy-versions.ts'
import { defineSite } from '../../model/compile/site-options.ts'
import { piece } from '../../model/declared/content-type.ts'
import { DAILY_PACKING } from './feature.ts'

const VERSIONS = '@cms/document-versions'
const DAY_MS = 24 * 60 * 60 * 1000
const TEXT = 'One sentence after the other. '.repeat(50)

const site = defineSite({ types: [piece('story', { fields: { add: { text: { type: 'string' } } } })] })

describeService('§2.4 versions are compressed', { site }, (service) => {
  const operator = (daysLater = 0) => {
    const now = () => new Date(Date.now() + daysLater * DAY_MS)
    return { ...service.app.context({ kind: 'operator' }), now }
  }
  const make = async () =>
    (await service.editor.post('story', { title: 'Made', text: `${TEXT}0` }, 'aposMode=draft')).body.aposDocId as string
  const save = (id: string, number: number) =>
    service.editor.patch(`story/${id}:en:draft`, { text: `${TEXT}${number}` })
  const listed = async (id: string) => (await service.editor.get(VERSIONS, `docId=${id}`)).body.results
  const unpacked = async (id: string) => {
    const [rows = []] = await rowsOf(service.databaseUrl, [
      `select n from contents where doc_id = '${id}' and body is not null`,
    ])
    return rows.length
  }

  it('all but what a document holds, and are read, compared and restored as before', async () => {
    const id = await make()
    for (const number of [1, 2, 3]) await save(id, number)
    const before = await listed(id)
    const read = async (version: { readonly _id: string }) =>
      (await service.editor.get(`${VERSIONS}/${version._id}`)).body
    const contents = await Promise.all(before.map(read))
    expect(await unpacked(id)).toBe(4)
    await packVersions(operator())
    expect(await unpacked(id)).toBe(1)
    expect(await packVersions(operator())).toBe(0)
    expect(await listed(id)).toEqual(before)
    expect(await Promise.all(before.map(read))).toEqual(contents)
    const restored = await service.editor.put(`story/${id}:en:draft`, { _restoreVersion: before.at(-1)._id })
    expect(restored.body).toMatchObject({ text: `${TEXT}0` })
    expect(await unpacked(id)).toBe(2)
    expect((await listed(id))[0]).toMatchObject({ live: true, restoredFrom: before.at(-1)._id })
  })

  it('alongside saves of the same documents', async () => {
    const ids = await Promise.all(Array.from({ length: 4 }, make))
    let isOver = false
    const packing = (async () => {
      while (!isOver) await packVersions(operator())
    })()
    // Back and forth: what is just being compressed is had again.
    const statuses = await Promise.all(
      ids.map(async (id) => {
        const found: number[] = []
        for (let round = 1; round <= 12; round += 1) {
          found.push((await save(id, round % 3)).status)
          found.push((await service.editor.post(`story/${id}/publish`)).status)
          found.push((await service.anonymous.get(`story/${id}`)).status === 500 ? 500 : 200)
        }
        return found
      }),
    )
    isOver = true
    await packing
    expect(new Set(statuses.flat())).toEqual(new Set([200]))
    for (const id of ids) {
      const { body } = await service.editor.get(`story/${id}:en:draft`)
      expect(body).toMatchObject({ text: `${TEXT}0`, modified: false })
    }
  })

  it('once a day, by one of all processes', async () => {
    const id = await make()
    await save(id, 1)
    await runWhenDue(operator(1), DAILY_PACKING)
    await Promise.all([runWhenDue(operator(2), DAILY_PACKING), runWhenDue(operator(2), DAILY_PACKING)])
    expect(await unpacked(id)).toBe(1)
    await save(id, 2)
    await runWhenDue(operator(2.5), DAILY_PACKING)
    expect(await unpacked(id)).toBe(2)
    await runWhenDue(operator(3.5), DAILY_PACKING)
    expect(await unpacked(id)).toBe(1)
  })
})

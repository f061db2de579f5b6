import { expect, test } from 'vitest'
import { describeService } from '../../cms/test/service.ts'
import { createClient } from '../src/index.ts'
import { exportXliff, importXliff } from '../src/xliff.ts'
import { site } from './site.ts'

describeService('client: files for translators', { site, isLong: true }, (service) => {
  const connect = (key = 'key-editor') => createClient<typeof site>({ url: service.address, key })

  test('§4.5 texts go out as a file, a check tells what it would change, and its confirmation replaces', async () => {
    const quire = connect()
    const { _id } = (await service.editor.post('article', { title: 'Ink' })).body
    const wanted = { from: 'en', to: 'fr', ids: [_id] }
    const { file, name } = await exportXliff(quire, wanted)
    expect(name).toBe('texts-en-fr.xlf')
    const translated = new Blob([(await file.text()).replace('>Ink</source>', '>Ink</source><target>Encre</target>')])
    expect(await importXliff(quire, translated, { check: true })).toMatchObject({ isCheck: true, documents: 1 })
    expect(await importXliff(quire, translated)).toMatchObject({ isCheck: false, documents: 1, replaced: 0 })
    const other = new Blob([(await translated.text()).replace('Encre', 'L’encre')])
    const { confirmation = '', replaced } = await importXliff(quire, other, { check: true })
    expect(replaced).toBe(1)
    expect(await importXliff(quire, other, { confirmation })).toMatchObject({ documents: 1, replaced: 1 })
  })

  test('§4.5 refusals are problems', async () => {
    await expect(exportXliff(connect(), { from: 'en', to: 'xx' })).rejects.toMatchObject({ name: 'invalid' })
    await expect(exportXliff(connect('key-contributor'), { from: 'en', to: 'fr' })).rejects.toMatchObject({
      name: 'forbidden',
    })
    await expect(importXliff(connect(), new Blob(['no']))).rejects.toMatchObject({ name: 'invalid' })
  })
})

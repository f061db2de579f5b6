import { expect, it } from 'vitest'
import { sampledDatabases } from '../../../test/databases.ts'
import { expectLinear } from '../../../test/growth.ts'
import { describeService } from '../../../test/service.ts'
import { defineSite, piece } from '../../index.ts'

const note = piece('note', {
  fields: { add: { items: { type: 'array', fields: { add: { label: { type: 'string', required: true } } } } } },
})
const items = (count: number) => Array.from({ length: count }, () => ({}))

describeService('§2.11', { site: defineSite({ types: [note] }), on: sampledDatabases('growth') }, (service) => {
  it('many items without a required field are reported in linear time', async () => {
    await expectLinear(items, (items) => service.editor.post('note', { title: 'Note', items }), 1250)
  })

  it('all of them are reported by index, and the first by name', async () => {
    const { status, body } = await service.editor.post('note', { title: 'Note', items: items(30) })
    expect({ status, count: body.data.errors.length }).toEqual({ status: 400, count: 30 })
    expect(body.data.errors[29]).toMatchObject({ path: 'items.29.label', name: 'required' })
    expect(body.message).toMatch(
      /^Some fields need your attention: items\.0\.label, .*, items\.19\.label and 10 more\.$/,
    )
  })
})

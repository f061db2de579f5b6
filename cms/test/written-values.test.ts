import { expect, it } from 'vitest'
import { defineSite } from '../src/model/compile/site-options.ts'
import { piece } from '../src/model/declared/content-type.ts'
import { describeService } from './service.ts'

const site = defineSite({
  types: [
    piece('shop', {
      fields: {
        add: { opens: { type: 'time', min: '08:00:00', max: '18:00' }, contact: { type: 'email' } },
      },
    }),
  ],
})

describeService('§2.13 values, by every route that writes', { site }, (service) => {
  it('§2.13 a time is within its bounds, with seconds or without', async () => {
    for (const [opens, status] of Object.entries({ '08:00': 200, '18:00:00': 200, '07:59:59': 400, '18:00:01': 400 })) {
      for (const answer of await written({ opens })) {
        expect([opens, answer.status]).toEqual([opens, status])
        if (status === 200) expect(answer.body.opens).toBe(opens)
      }
    }
  })

  it('§2.13 an address in any script is answered as documented', async () => {
    for (const { body } of await written({ contact: 'käse@bücher.example' })) {
      expect(body.contact).toBe('käse@bücher.example')
    }
  })

  async function written(values: object) {
    const { editor } = service
    const path = `shop/${(await editor.post('shop', { title: 'Shop' })).body._id}`
    return [
      await editor.post('shop', { title: 'Shop', ...values }),
      await editor.put(path, { title: 'Shop', ...values }),
      await editor.patch(path, values),
      await editor.patch(path, { _patches: [values] }),
      await editor.patch(path.replace('published', 'draft'), values),
    ]
  }
})

import { expect, it } from 'vitest'
import { describeService } from '../../../test/service.ts'
import { defineSite } from '../../model/compile/site-options.ts'
import { piece, widget } from '../../model/declared/content-type.ts'

const text = { type: 'richText', toolbar: ['link'] } as const
const card = widget('card', {
  fields: {
    add: { text, _image: { type: 'relationship', withType: 'topic' }, secret: { ...text, viewPermission: 'admin' } },
  },
})
const note = piece('note', {
  fields: {
    add: {
      text,
      _image: { type: 'relationship', withType: 'topic' },
      more: text,
      secret: { ...text, viewPermission: 'admin' },
      cards: { type: 'area', widgets: { card: {} } },
    },
  },
})

describeService(
  '§2.1 rich text next to relationships',
  { site: defineSite({ types: [piece('topic'), note], widgets: [card] }) },
  (service) => {
    it('§2.1 the ids that rich texts link to are added, and replace none of a relationship', async () => {
      const { admin, editor } = service
      const ids = await Promise.all(
        ['A', 'B', 'C', 'D'].map(async (title) => (await editor.post('topic', { title })).body.aposDocId),
      )
      const [a, b, c, d] = ids
      const link = (id: string) => `<p><a href="#apostrophe-permalink-${id}">x</a></p>`
      const inner = { text: link(a), secret: link(d), imageIds: [c] }
      const given = { title: 'N', ...inner, more: link(b), cards: { items: [{ type: 'card', ...inner }] } }
      const { body: made } = await admin.post('note', given)
      const related = { imageIds: [c], _image: [{ title: 'C' }] }
      const shown = (hidden: readonly string[]) => ({
        ...related,
        permalinkIds: [a, b, ...hidden],
        cards: { items: [{ ...related, permalinkIds: [a, ...hidden] }] },
      })
      expect(made).toMatchObject(shown([d]))
      const { body } = await editor.get(`note/${made._id}`)
      expect(body).toMatchObject(shown([]))
      expect((await editor.put(`note/${made._id}`, body)).body).toMatchObject(shown([]))
      expect((await admin.get(`note/${made._id}`)).body).toMatchObject(shown([d]))
    })
  },
)

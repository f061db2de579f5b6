import { defineSite, piece } from 'quire-cms'

const topic = piece('topic', { fields: { add: { articles: { type: 'integer', def: 0 } } } })

const article = piece('article', {
  fields: { add: { _topics: { type: 'relationship', withType: 'topic' } } },
  hooks: {
    async beforeSave(article, { reason, id }, ctx) {
      if (reason !== 'inserted' || id.mode !== 'draft') return
      const content = ctx.as({ role: 'editor', name: 'Counter' })
      for (const topicId of article.topicsIds) {
        const found = await content.findOne('topic', topicId)
        if (found) await content.patch('topic', topicId, { articles: Number(found.articles) + 1 })
      }
    },
  },
})

export const site = defineSite({ types: [topic, article] })

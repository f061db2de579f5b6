import { defineSite, piece } from 'quire-cms'

const article = piece('article', {
  fields: {
    add: {
      body: { type: 'area', widgets: { '@cms/rich-text': {} } },
      words: { type: 'integer' },
      source: { type: 'url' },
    },
  },
  hooks: {
    beforeSave(article) {
      const text = JSON.stringify(article.body)
      article.words = text.split(/\s+/).length
    },
    afterSave(article, event, ctx) {
      ctx.log.info({ title: article.title, reason: event.reason }, 'An article was saved.')
    },
  },
})

export const site = defineSite({ types: [article] })

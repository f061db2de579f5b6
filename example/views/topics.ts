import { findPieces, html } from 'quire-cms'
import { pageHead } from './heads.ts'
import { templates } from './shapes.ts'
import { dot, stories } from './story.ts'

/** All topics, each in its colour. */
export const topicIndex = templates.index('topics-page', {
  render({ page, pieces }) {
    const items = pieces.map(
      ({ _url, title, blurb, color }) =>
        html`<li style="--topic: ${color}"><h2><a href="${_url}">${title}</a></h2><p>${blurb}</p></li>`,
    )
    return html`<div class="wide">${pageHead(page.title, page.intro)}<ul class="topics">${items}</ul></div>`
  },
})

/** A topic, and all articles about it. */
export const topicShow = templates.show('topics-page', {
  data: async (ctx, { piece }) => (await findPieces(ctx, 'article', { _topics: piece.aposDocId, perPage: 50 })).results,
  render: ({ page, piece: topic }, scene) => html`<div class="wide">
<header class="page-head">
<p class="label">${dot(topic)}<a href="${page._url}">${page.title}</a></p>
<h1>${topic.title}</h1><p class="intro">${topic.blurb}</p>
</header>
${stories(scene.data, scene, { heading: 2 })}
</div>`,
})

import { type Html, html, type ShownDocument } from 'quire-cms'
import { pageHead } from './heads.ts'
import { articlesOf, type IntroducedPage, type SceneWith, topicsOf } from './shapes.ts'
import { dot, stories } from './story.ts'

/** All topics, each in its colour. */
export function topicIndex({ page, pieces }: IntroducedPage): Html {
  const items = topicsOf(pieces).map(
    ({ _url, title, blurb, color }) =>
      html`<li style="--topic: ${color}"><h2><a href="${_url}">${title}</a></h2><p>${blurb}</p></li>`,
  )
  return html`<div class="wide">${pageHead(page.title, page.intro)}<ul class="topics">${items}</ul></div>`
}

/** A topic, and all articles about it. */
export function topicShow({ page, piece }: IntroducedPage, scene: SceneWith<ShownDocument[]>): Html {
  const [topic] = topicsOf(piece && [piece])
  if (topic === undefined) return html``
  return html`<div class="wide">
<header class="page-head">
<p class="label">${dot(topic)}<a href="${page._url as string}">${page.title}</a></p>
<h1>${topic.title}</h1><p class="intro">${topic.blurb}</p>
</header>
${stories(articlesOf(scene.data), scene, { heading: 2 })}
</div>`
}

import { findPieces, html } from 'quire-cms'
import { templates } from './shapes.ts'
import { newest, stories, story } from './story.ts'

// A template knows the types of its widget's fields, and of the documents that they relate to. Texts are escaped by
// `html`.
export const front = templates.widget('front', {
  render({ _lead, _beside }, scene) {
    const wide = '(min-width: 76rem) 52rem, (min-width: 62rem) 65vw, 92vw'
    const beside = '(min-width: 62rem) 18rem, (min-width: 40rem) 30vw, 92vw'
    return html`<section class="wide front">
<div class="lead">${_lead.map((one) => story(one, scene, { heading: 2, picture: wide, isFirst: true }))}</div>
<div class="beside">${_beside.map((one) => story(one, scene, { picture: beside }))}</div>
</section>`
  },
})

export const shelf = templates.widget('shelf', {
  render(shelf, scene) {
    const { heading, words, _articles } = shelf
    const { styles } = scene
    const own = styles.render(shelf)
    return html`${styles.elements(own)}<section${styles.attributes(own, { class: 'shelf' })}>
<div class="wide">
<div class="shelf-head"><h2>${heading}</h2>${words && html`<p>${words}</p>`}</div>
${stories(_articles, scene)}
</div>
</section>`
  },
})

// Data outside the widget's own content is loaded by `data`: once for all widgets of the type, as far as the reader may
// see, as from /api/v1/article.
export const latest = templates.widget('latest', {
  async data(ctx, widgets) {
    const { results } = await findPieces(ctx, 'article', { perPage: 12 })
    return widgets.map(({ count }) => results.slice(0, count ?? 6))
  },
  render: ({ heading }, scene) => html`<section class="shelf">
<div class="wide">
<div class="shelf-head"><h2>${heading}</h2></div>
${newest(scene.data, scene)}
</div>
</section>`,
})

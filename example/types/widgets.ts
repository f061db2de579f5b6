import { findPieces, html, widget } from 'quire-cms'
import { articlesOf } from '../views/shapes.ts'
import { latest as renderLatest, stories, story } from '../views/story.ts'

// A widget is a building block for areas. It has fields like everything else, and it is rendered either by a file of the
// folder `templates` …
export const quote = widget('quote', {
  label: 'Quotation',
  fields: {
    add: {
      words: { type: 'string', textarea: true, required: true },
      by: { type: 'string', label: 'Who said it' },
    },
  },
  // Styles of widgets are fields, too: each quotation has its own. Without a selector they are for the element that is
  // rendered; the template says which that is.
  styles: {
    add: {
      alignment: 'alignment',
      color: { type: 'color', label: 'Words', property: ['color', '--soft'] },
      background: 'background',
      border: 'border',
      corners: 'corners',
      padding: 'padding',
    },
  },
  stylesWrapper: false,
  template: 'widgets/quote.njk',
})

// What articles in a list show beside their own fields.
const withRelationships = ['_image', '_authors', '_topics'] as const

// … or by a function, which knows the types of its fields. Texts are escaped by `html`.
export const front = widget('front', {
  label: 'Front page',
  fields: {
    add: {
      _lead: { type: 'relationship', withType: 'article', max: 1, withRelationships },
      _beside: { type: 'relationship', withType: 'article', max: 3, withRelationships },
    },
  },
  render({ _lead, _beside }, scene) {
    const wide = '(min-width: 76rem) 52rem, (min-width: 62rem) 65vw, 92vw'
    const beside = '(min-width: 62rem) 18rem, (min-width: 40rem) 30vw, 92vw'
    return html`<section class="wide front">
<div class="lead">${articlesOf(_lead).map((one) => story(one, scene, { heading: 2, picture: wide, isFirst: true }))}</div>
<div class="beside">${articlesOf(_beside).map((one) => story(one, scene, { picture: beside }))}</div>
</section>`
  },
})

export const shelf = widget('shelf', {
  label: 'Shelf',
  fields: {
    add: {
      heading: { type: 'string', required: true, max: 80 },
      words: { type: 'string', label: 'A line beside the heading', max: 160 },
      _articles: { type: 'relationship', withType: 'article', max: 8, withRelationships },
    },
  },
  styles: {
    add: {
      isNight: { type: 'boolean', label: 'On a night sky', class: 'is-night' },
      background: 'background',
      padding: 'padding',
      headingColor: { type: 'color', selector: 'h2', property: 'color' },
      lineColor: { type: 'color', selector: '.shelf-head', property: 'border-color' },
    },
  },
  stylesWrapper: false,
  render(shelf, scene) {
    const { heading, words, _articles } = shelf
    const { styles } = scene
    const own = styles.render(shelf)
    return html`${styles.elements(own)}<section${styles.attributes(own, { class: 'shelf' })}>
<div class="wide">
<div class="shelf-head"><h2>${heading}</h2>${words && html`<p>${words}</p>`}</div>
${stories(articlesOf(_articles), scene)}
</div>
</section>`
  },
})

// What is not in the content itself is loaded by `data`: once for all widgets of the type, and with what the reader may
// see, as from /api/v1/article.
export const latest = widget('latest', {
  label: 'What is new',
  fields: {
    add: {
      heading: { type: 'string', required: true, max: 80 },
      count: { type: 'integer', min: 1, max: 12, def: 6 },
    },
  },
  // These are for an element around what is rendered, as `stylesWrapper` is not said to be false.
  styles: { add: { background: 'background', padding: 'padding' } },
  async data(ctx, widgets) {
    const { results } = await findPieces(ctx, 'article', { perPage: 12 })
    return widgets.map(({ count }) => results.slice(0, count ?? 6))
  },
  render: ({ heading }, scene) => html`<section class="shelf">
<div class="wide">
<div class="shelf-head"><h2>${heading}</h2></div>
${renderLatest(scene.data, scene)}
</div>
</section>`,
})

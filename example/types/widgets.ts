import { widget } from 'quire-cms'

// A widget is a building block for areas. It has fields like everything else, and it is rendered either by a file of the
// folder `templates`, as this one …
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

// Relationships of the listed articles that are filled in, too.
const withRelationships = ['_image', '_authors', '_topics'] as const

// … or by a function, as these: see views/widgets.ts.
export const front = widget('front', {
  label: 'Front page',
  fields: {
    add: {
      _lead: { type: 'relationship', withType: 'article', max: 1, withRelationships },
      _beside: { type: 'relationship', withType: 'article', max: 3, withRelationships },
    },
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
})

export const latest = widget('latest', {
  label: 'What is new',
  fields: {
    add: {
      heading: { type: 'string', required: true, max: 80 },
      count: { type: 'integer', min: 1, max: 12, def: 6 },
    },
  },
  // The styles apply to an element around the output, as `stylesWrapper` is not false.
  styles: { add: { background: 'background', padding: 'padding' } },
})

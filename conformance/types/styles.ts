/** The styles of all pages: every preset, and every form of a style field. */
export const referenceStyles = {
  add: {
    bodyColor: { type: 'color', selector: 'body', property: 'color', def: '#112233' },
    headSize: {
      type: 'range',
      selector: ['h1', 'h2'],
      property: 'font-size',
      min: 10,
      max: 80,
      unit: 'px',
      def: 32,
    },
    theme: { type: 'select', class: true, choices: ['theme-light', 'theme-dark'], def: 'theme-light' },
    wide: { type: 'boolean', class: 'is-wide' },
    pad: { preset: 'padding', selector: '.page' },
    mar: { preset: 'margin', selector: '.page', mediaQuery: '(max-width: 800px)' },
    cardBorder: { preset: 'border', selector: '.card' },
    cardShadow: { preset: 'boxShadow', selector: '.card' },
    heroBackground: { preset: 'background', selector: '.hero' },
    blockWidth: { preset: 'width', selector: '.block' },
    blockAlign: 'alignment',
    layoutGap: 'layoutGap',
    linkGroup: {
      type: 'object',
      selector: 'a',
      fields: {
        add: {
          normal: { type: 'color', property: 'color' },
          hover: { type: 'color', selector: ':hover', property: 'color' },
        },
      },
    },
    shadowText: {
      type: 'object',
      selector: 'h1',
      property: 'text-shadow',
      valueTemplate: '%x%px %y%px %c%',
      fields: {
        add: {
          x: { type: 'range', min: 0, max: 10, def: 1 },
          y: { type: 'range', min: 0, max: 10, def: 2 },
          c: { type: 'color', def: '#ff0000' },
        },
      },
    },
    fam: { type: 'string', selector: 'body', property: 'font-family' },
  },
} as const

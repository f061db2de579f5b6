// site.ts
import { defineSite } from 'quire-cms'

export const site = defineSite({
  styles: {
    add: {
      accent: { type: 'color', label: 'Accent', selector: ':root', property: '--accent', def: '#0a5c73' },
      headings: {
        type: 'range',
        min: 20,
        max: 60,
        unit: 'px',
        selector: ['h1', 'h2'],
        property: 'font-size',
        def: 32,
      },
      font: {
        type: 'select',
        choices: ['Georgia, serif', 'system-ui, sans-serif'],
        selector: 'body',
        property: 'font-family',
      },
      theme: { type: 'select', class: true, choices: ['theme-light', 'theme-dark'], def: 'theme-light' },
      cards: { preset: 'border', selector: '.card' },
      pagePadding: { preset: 'padding', selector: 'main', mediaQuery: '(min-width: 800px)' },
      links: {
        type: 'object',
        selector: 'a',
        fields: {
          add: {
            normal: { type: 'color', property: 'color' },
            hover: { type: 'color', selector: ':hover', property: 'color' },
          },
        },
      },
    },
    group: {
      colors: { label: 'Colours', fields: ['accent', 'theme', 'links'] },
      space: { label: 'Type and space', fields: ['headings', 'font', 'cards', 'pagePadding'] },
    },
  },
})

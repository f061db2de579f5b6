import { defineSite } from 'quire-cms'

export const site = defineSite({
  styles: {
    add: {
      glow: {
        type: 'object',
        selector: 'h1',
        property: 'text-shadow',
        valueTemplate: '%x% %y% %tone%',
        fields: {
          add: {
            x: { type: 'range', min: 0, max: 10, unit: 'px', def: 1 },
            y: { type: 'range', min: 0, max: 10, unit: 'px', def: 2 },
            tone: { type: 'color', def: '#00000055' },
          },
        },
      },
    },
  },
})

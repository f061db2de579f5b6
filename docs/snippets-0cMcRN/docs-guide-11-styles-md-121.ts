import { defineSite } from 'quire-cms'

export const site = defineSite({
  styles: {
    defaultStyles: { borderColor: '#d0d0d0' },
    registerPresets(presets) {
      presets.setPreset('roundness', {
        type: 'range',
        label: 'Roundness',
        min: 0,
        max: 24,
        unit: 'px',
        property: 'border-radius',
      })
    },
    add: { buttons: { preset: 'roundness', selector: 'button' } },
  },
})

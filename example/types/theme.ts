import type { Presets } from 'quire-cms'

// How the magazine looks is for editors to say: they set these values in the document of `@cms/styles`, as a draft first.
// Each field names what its value is for. The defaults are what lantern.css says.

const day = {
  paper: '#fbfaf7',
  tint: '#f2efe7',
  ink: '#161a2e',
  soft: '#575c72',
  rule: '#dcd8cc',
  link: '#1c4e80',
  lamp: '#f2b632',
  shade: '#161a2e33',
  foot: '#0d1126',
} as const

const night = {
  paper: '#0d1126',
  tint: '#151a38',
  ink: '#ecebe3',
  soft: '#a7adc6',
  rule: '#2b3158',
  link: '#a5caf2',
  lamp: '#ffd166',
  shade: '#00000080',
  foot: '#070a18',
} as const

/** The colours of the magazine, each a custom property that lantern.css uses. */
const colors = (def: Readonly<Record<keyof typeof day, string>>) =>
  ({
    add: {
      paper: { type: 'color', property: '--paper', def: def.paper },
      tint: { type: 'color', label: 'Behind pictures and topics', property: '--tint', def: def.tint },
      ink: { type: 'color', property: '--ink', def: def.ink },
      soft: { type: 'color', label: 'Small print', property: '--soft', def: def.soft },
      rule: { type: 'color', label: 'Lines', property: '--rule', def: def.rule },
      link: { type: 'color', label: 'Links', property: '--link', def: def.link },
      lamp: { type: 'color', property: '--lamp', def: def.lamp },
      shade: { type: 'color', label: 'Shadows', property: '--shade', def: def.shade },
      foot: { type: 'color', label: 'Foot of the page', property: '--foot', def: def.foot },
    },
  }) as const

const pictures = ['.story img', '.hero img', '.prose img']

/** The styles of the whole magazine. */
export const styles = {
  // Borders and shadows of presets begin with colours that change by day and by night.
  defaultStyles: { borderColor: '--rule', shadowColor: '--shade' },
  // A preset of the magazine's own. Fields that name it say only what is different there.
  registerPresets(presets: Presets) {
    presets.setPreset('corners', {
      type: 'range',
      label: 'Round corners',
      min: 0,
      max: 32,
      def: 0,
      unit: 'px',
      property: 'border-radius',
    })
  },
  add: {
    day: { type: 'object', label: 'By day', selector: ':root', fields: colors(day) },
    night: {
      type: 'object',
      label: 'By night',
      selector: ':root',
      mediaQuery: '(prefers-color-scheme: dark)',
      fields: colors(night),
    },
    typeface: {
      type: 'select',
      selector: ':root',
      property: '--serif',
      choices: [
        {
          value: '"Iowan Old Style", "Palatino Linotype", "URW Palladio L", P052, Palatino, Georgia, serif',
          label: 'Old style',
        },
        { value: 'Charter, "Bitstream Charter", "Sitka Text", Cambria, serif', label: 'Transitional' },
        { value: 'Avenir, Montserrat, Corbel, "URW Gothic", source-sans-pro, sans-serif', label: 'Without serifs' },
      ],
      def: '"Iowan Old Style", "Palatino Linotype", "URW Palladio L", P052, Palatino, Georgia, serif',
    },
    textSize: { type: 'range', min: 80, max: 130, unit: '%', selector: 'html', property: 'font-size', def: 100 },
    lineHeight: { type: 'range', min: 1.3, max: 2, step: 0.01, selector: ':root', property: '--leading', def: 1.62 },
    headingSize: {
      type: 'range',
      help: 'Percent of the usual size',
      min: 70,
      max: 130,
      selector: ':root',
      property: '--headings',
      valueTemplate: 'calc(%VALUE% / 100)',
      def: 100,
    },
    headingWeight: {
      type: 'select',
      choices: ['400', '500', '600', '700'],
      selector: ['h1', 'h2', 'h3'],
      property: 'font-weight',
      def: '700',
    },
    pageWidth: { type: 'range', min: 60, max: 100, unit: 'rem', selector: ':root', property: '--page', def: 76 },
    columnWidth: { type: 'range', min: 30, max: 48, unit: 'rem', selector: ':root', property: '--column', def: 37 },
    space: {
      type: 'range',
      help: 'Percent of the usual space',
      min: 50,
      max: 150,
      selector: ':root',
      property: '--space',
      valueTemplate: 'calc(%VALUE% / 100)',
      def: 100,
    },
    pictureCorners: { preset: 'corners', selector: pictures },
    pictureShadow: { preset: 'boxShadow', label: 'Shadow of pictures', selector: pictures },
    // The body gets one of these as a class.
    masthead: {
      type: 'select',
      label: 'Name of the magazine',
      class: true,
      choices: [
        { value: 'masthead-centred', label: 'In the middle' },
        { value: 'masthead-left', label: 'At the left' },
      ],
      def: 'masthead-centred',
    },
    mastheadBackground: { preset: 'background', label: 'Behind the name', selector: '.masthead' },
    footBackground: { preset: 'background', label: 'Behind the foot', selector: '.foot' },
    footInk: { type: 'color', label: 'Words', selector: ':root', property: '--foot-ink', def: '#ecebe3' },
    footSoft: { type: 'color', label: 'Small print', selector: ':root', property: '--foot-soft', def: '#a7adc6' },
  },
  group: {
    colors: {
      label: 'Colours',
      group: { day: { label: 'By day', fields: ['day'] }, night: { label: 'By night', fields: ['night'] } },
    },
    type: {
      label: 'Type',
      group: {
        texts: { fields: ['typeface', 'textSize', 'lineHeight'] },
        headings: { fields: ['headingSize', 'headingWeight'] },
      },
    },
    space: { label: 'Widths and space', fields: ['pageWidth', 'columnWidth', 'space'] },
    pictures: { label: 'Pictures', fields: ['pictureCorners', 'pictureShadow'] },
    around: {
      label: 'Head and foot',
      group: {
        head: { fields: ['masthead', 'mastheadBackground'] },
        foot: { fields: ['footBackground', 'footInk', 'footSoft'] },
      },
    },
  },
} as const
